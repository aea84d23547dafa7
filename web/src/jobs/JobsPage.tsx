import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";

export default function JobsPage() {
  const t = useTexts(jobsTexts);
  return <PageHead title={t.title} />;
}
