import { Form, Input } from "antd";
import { api, path } from "../api/client";
import { useTexts } from "../i18n/language";
import { useAddressValue } from "../components/use-search-param";
import { FormDrawer } from "../components/FormDrawer";
import { imageTexts } from "./texts";
import type { CatalogueImage } from "./types";

/** An administrator's answer to a proposal: `?judge=approve NAME` or `refuse NAME`. */
export function JudgeForm(props: { images?: readonly CatalogueImage[] }) {
  const t = useTexts(imageTexts);
  const [judged, setJudged] = useAddressValue("judge");
  const [, verb, name] = /^(approve|refuse) (.+)$/.exec(judged) ?? [];
  const approves = verb === "approve";
  // What was looked at is approved, and not what may have taken its name meanwhile.
  const seen = props.images?.find((one) => one.name === name)?.presentId;
  return (
    <FormDrawer
      title={name ? (approves ? t.approveTitle(name) : t.refuseTitle(name)) : ""}
      open={name !== undefined}
      close={() => setJudged("")}
      draft={`image-word.${name}`}
      initial={{ note: "" }}
      submit={({ note }) => api.post(path`/images/${name!}/${verb!}`, { note, ...(seen ? { imageId: seen } : {}) })}
      submitText={approves ? t.approve : t.refuse}
      danger={!approves}
      about={["images"]}
      said={approves ? t.approved : t.refused}
    >
      <Form.Item name="note" label={t.word}>
        <Input.TextArea autoSize={{ minRows: 3 }} maxLength={2000} autoFocus />
      </Form.Item>
    </FormDrawer>
  );
}
