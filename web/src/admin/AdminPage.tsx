import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { adminTexts } from "./texts";

export default function AdminPage() {
  const t = useTexts(adminTexts);
  return <PageHead title={t.title} />;
}
