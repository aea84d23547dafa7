import { Form, Input } from "antd";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";

/** The content of the dialog that adds a tag. */
export default function TagForm(props: { changed: (tag: string) => void }) {
  const t = useTexts(jobsTexts);
  return (
    <Form layout="vertical" onValuesChange={(_, { tag }: { tag: string }) => props.changed(tag)}>
      <Form.Item name="tag" label={t.tagLabel} extra={t.tagNeeded}>
        <Input autoFocus maxLength={255} />
      </Form.Item>
    </Form>
  );
}
