import { Button, Result } from "antd";
import { Link } from "wouter";
import { useTexts } from "../i18n/language";
import { frameTexts } from "./texts";

export default function NoSuchPage() {
  const t = useTexts(frameTexts);
  const home = (
    <Link href="/" asChild>
      <Button type="primary">{t.toHome}</Button>
    </Link>
  );
  return <Result status="404" title={t.notFound} subTitle={t.notFoundHint} extra={home} />;
}
