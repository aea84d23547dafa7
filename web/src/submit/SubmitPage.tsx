import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { submitTexts } from "./texts";

export default function SubmitPage() {
  const t = useTexts(submitTexts);
  return <PageHead title={t.title} />;
}
