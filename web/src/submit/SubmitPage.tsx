import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "antd";
import { ErrorAlert } from "../api/ErrorAlert";
import { PageHead } from "../app/PageHead";
import { useSearchParams } from "../app/search-params";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { savedDraft } from "./draft";
import { initialText, type Origin } from "./origin";
import { JobEditor } from "./JobEditor";
import { submitTexts } from "./texts";
import "./submit.css";

/** `/submit`, `/submit?clone=user~name` (`&fit`: reduced to what fits this cluster), `/submit?template=name`, `/submit?image=name`. */
export default function SubmitPage() {
  const t = useTexts(submitTexts);
  const { user } = useMe();
  const [search] = useSearchParams();
  const origin: Origin = { clone: search.get("clone"), template: search.get("template"), image: search.get("image"), fit: search.has("fit") };
  const key = keyOf(origin);
  const restored = savedDraft(user, key) !== null;
  const first = useQuery({
    queryKey: ["submit-beginning", key],
    queryFn: () => initialText(origin),
    enabled: !restored,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (restored || first.data !== undefined) {
    return <JobEditor key={key} origin={origin} draftKey={key} first={first.data ?? ""} />;
  }
  return (
    <>
      <PageHead title={t.title} />
      {first.error ? <ErrorAlert error={first.error} retry={() => void first.refetch()} /> : <Skeleton active />}
    </>
  );
}

/** Returns the key of the draft; each origin has its own draft. */
function keyOf({ clone, template, image, fit }: Origin): string {
  return clone ? `${fit ? "fit" : "clone"}.${clone}` : template ? `template.${template}` : image ? `image.${image}` : "new";
}
