import { Form, Input } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/language";
import { refresh } from "../components/use-change";
import { FormDrawer } from "../components/FormDrawer";
import { partTexts } from "../components/texts";
import { useAddressValue } from "../components/use-search-param";
import { startPull } from "./pulls";
import { imageTexts } from "./texts";

/** `?pull=+`, or `?pull=REFERENCE` to begin with one. */
export function PullForm() {
  const t = useTexts(imageTexts);
  const part = useTexts(partTexts);
  const client = useQueryClient();
  const [pull, setPull] = useAddressValue("pull");
  return (
    <FormDrawer
      title={t.pullTitle}
      open={pull !== ""}
      close={() => setPull("")}
      draft="pull"
      initial={{ reference: pull === "+" ? "" : pull }}
      submit={({ reference }) => {
        // It goes on after the form is closed; PullList says how far it is.
        void startPull(reference.trim()).then(() => refresh(client, ["local-images"]));
        return Promise.resolve();
      }}
      submitText={t.pull}
      about={[]}
    >
      <Form.Item name="reference" label={t.reference} extra={t.pullHint} rules={[{ required: true, message: part.required }]}>
        <Input autoFocus spellCheck={false} />
      </Form.Item>
    </FormDrawer>
  );
}
