import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { accountTexts } from "./texts";

export default function AccountPage() {
  const t = useTexts(accountTexts);
  return <PageHead title={t.title} />;
}
