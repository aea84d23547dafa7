import { Form, Input } from "antd";
import { api, path } from "../api/client";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { FormDrawer } from "../components/FormDrawer";
import { imageTexts } from "./texts";
import type { CatalogImage } from "./types";

/** Approves (`?judge=approve NAME`) or rejects (`?judge=refuse NAME`) a proposed image. */
export function ReviewForm(props: { images?: readonly CatalogImage[] }) {
  const t = useTexts(imageTexts);
  const [judged, setJudged] = useSearchParam("judge");
  const [, verb, name] = /^(approve|refuse) (.+)$/.exec(judged) ?? [];
  const approves = verb === "approve";
  // Approves the image that the administrator reviewed, even if the name has been moved to another image since.
  const seen = props.images?.find((one) => one.name === name)?.presentId;
  return (
    <FormDrawer
      title={name ? (approves ? t.approveTitle(name) : t.rejectTitle(name)) : ""}
      open={name !== undefined}
      close={() => setJudged("")}
      draft={`image-word.${name}`}
      initial={{ note: "" }}
      submit={({ note }) => api.post<"approveImage" | "refuseImage">(path`/images/${name!}/${verb!}`, { note, ...(seen ? { imageId: seen } : {}) })}
      submitText={approves ? t.approve : t.reject}
      danger={!approves}
      about={["images"]}
      successText={approves ? t.approved : t.rejected}
    >
      <Form.Item name="note" label={t.reply}>
        <Input.TextArea autoSize={{ minRows: 3 }} maxLength={2000} autoFocus />
      </Form.Item>
    </FormDrawer>
  );
}
