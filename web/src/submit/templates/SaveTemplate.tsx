import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { App, Form, Input, Modal } from "antd";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useTexts } from "../../i18n/language";
import { submitTexts } from "../texts";
import { useTemplateChanges, useTemplates } from "./templates";

export function SaveTemplate(props: { text: string; name: string; close: () => void }) {
  const t = useTexts(submitTexts);
  const { message } = App.useApp();
  const { data: templates } = useTemplates();
  const { save } = useTemplateChanges();
  const [name, setName] = useState(props.name);
  const [typed, setTyped] = useState<string | null>(null);
  const old = templates?.find((one) => !one.builtIn && one.name === name.trim());
  // If the user replaces a template without entering a description, the old description is kept.
  const description = typed ?? old?.description ?? "";
  const saving = useMutation({
    mutationFn: () => save({ ...(old ? { id: old.id } : {}), name: name.trim(), description, text: props.text }),
    onSuccess: () => {
      void message.success(t.templateSaved(name.trim()));
      props.close();
    },
  });
  return (
    <Modal
      open
      title={t.saveTemplate}
      okText={old ? t.replace : t.save}
      okButtonProps={{ disabled: name.trim() === "" }}
      confirmLoading={saving.isPending}
      onOk={() => saving.mutate()}
      onCancel={props.close}
    >
      {saving.error && <ErrorAlert error={saving.error} />}
      <Form layout="vertical" component={false}>
        <Form.Item label={t.templateName} htmlFor="template-name" required extra={t.templateSecrets}>
          <Input id="template-name" value={name} maxLength={100} autoFocus onChange={({ target }) => setName(target.value)} />
        </Form.Item>
        <Form.Item label={t.templateDescription} htmlFor="template-description">
          <Input id="template-description" value={description} maxLength={500} onChange={({ target }) => setTyped(target.value)} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
