import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { homeTexts } from "./texts";

export default function StartPage() {
  const t = useTexts(homeTexts);
  return <PageHead title={t.title} />;
}
