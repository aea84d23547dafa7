import { Form, Input } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/language";
import { refresh } from "../components/use-change";
import { FormDrawer } from "../components/FormDrawer";
import { componentTexts } from "../components/texts";
import { useSearchParam } from "../components/use-search-param";
import { startPull } from "./pulls";
import { imageTexts } from "./texts";

/** Form to pull an image; opened by `?pull=+`, or `?pull=REFERENCE` with an initial value. */
export function PullForm() {
  const t = useTexts(imageTexts);
  const part = useTexts(componentTexts);
  const client = useQueryClient();
  const [pull, setPull] = useSearchParam("pull");
  return (
    <FormDrawer
      title={t.pullTitle}
      open={pull !== ""}
      close={() => setPull("")}
      draft="pull"
      initial={{ reference: pull === "+" ? "" : pull }}
      submit={({ reference }) => {
        // The pull continues after the form is closed; PullList shows its progress.
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
