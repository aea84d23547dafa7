import { PageHead } from "../app/PageHead";
import { useTexts } from "../i18n/language";
import { imageTexts } from "./texts";

export default function ImagesPage() {
  const t = useTexts(imageTexts);
  return <PageHead title={t.title} />;
}
