import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { helpTexts } from "./texts";

export default function HelpPage() {
  const t = useTexts(helpTexts);
  return <PageHead title={t.title} />;
}
