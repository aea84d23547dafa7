import { App, Button, Checkbox, Form, Input } from "antd";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { accountTexts } from "./texts";

interface Change {
  readonly old: string;
  readonly new: string;
  readonly repeat: string;
  readonly revokeTokens?: boolean;
}

export function PasswordCard() {
  const t = useTexts(accountTexts);
  const { message } = App.useApp();
  const { user } = useMe();
  const [form] = Form.useForm<Change>();
  const change = useMutation({
    mutationFn: ({ repeat: _, ...given }: Change) => api.put<"changePassword">("/users/me/password", given),
    onSuccess: () => {
      message.success(t.changed);
      form.resetFields();
    },
  });
  return (
    <Form<Change> form={form} layout="vertical" requiredMark={false} className="narrow" onFinish={(given) => change.mutate(given)}>
      {change.error && <ErrorAlert error={change.error} />}
      <input type="text" autoComplete="username" value={user} readOnly hidden />
      <Form.Item name="old" label={t.currentPassword} rules={[{ required: true, message: t.required }]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item name="new" label={t.newPassword} extra={t.newPasswordHint} rules={[{ required: true, min: 8, message: t.newPasswordHint }]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="repeat"
        label={t.repeat}
        dependencies={["new"]}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, value) =>
              value === getFieldValue("new") ? Promise.resolve() : Promise.reject(new Error(t.repeatWrong)),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="revokeTokens" valuePropName="checked">
        <Checkbox>{t.revoke}</Checkbox>
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={change.isPending}>
        {t.change}
      </Button>
    </Form>
  );
}
