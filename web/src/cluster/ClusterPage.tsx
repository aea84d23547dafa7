import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { clusterTexts } from "./texts";

export default function ClusterPage() {
  const t = useTexts(clusterTexts);
  return <PageHead title={t.title} />;
}
