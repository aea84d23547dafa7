import { Result } from "antd";
import { useTexts } from "../i18n/language";
import { frameTexts } from "./texts";

export default function AdminOnly() {
  const t = useTexts(frameTexts);
  return <Result status="403" title={t.adminOnly} />;
}
