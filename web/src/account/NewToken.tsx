import { Alert, Form, Input, Modal, Select, Typography } from "antd";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { accountTexts } from "./texts";

interface TokenRequest {
  readonly name: string;
  readonly scope: "read" | "submit" | "all";
  readonly days: number;
}

const DAY_SECONDS = 86_400;

/** Dialog that creates a token. A click outside does not close it because the token is shown only once. */
export function NewToken(props: { close: () => void }) {
  const t = useTexts(accountTexts);
  const [form] = Form.useForm<TokenRequest>();
  const create = useMutation({
    mutationFn: ({ days, ...given }: TokenRequest) =>
      api.post<"createToken">("/tokens", { ...given, ...(days > 0 ? { expiresInSeconds: days * DAY_SECONDS } : {}) }),
  });
  const token = create.data?.token;
  return (
    <Modal
      open
      title={t.newToken}
      maskClosable={false}
      okText={token ? t.copied : t.add}
      cancelText={t.cancel}
      cancelButtonProps={{ hidden: Boolean(token) }}
      confirmLoading={create.isPending}
      onOk={() => (token ? props.close() : form.submit())}
      onCancel={props.close}
    >
      {create.error && <ErrorAlert error={create.error} />}
      {token ? (
        <Alert
          type="success"
          message={t.copyNow}
          description={
            <Typography.Text code copyable className="secret">
              {token}
            </Typography.Text>
          }
        />
      ) : (
        <Form<TokenRequest> form={form} layout="vertical" requiredMark={false} initialValues={{ scope: "submit", days: 90 }} onFinish={(given) => create.mutate(given)}>
          <Form.Item name="name" label={t.tokenName} rules={[{ required: true, message: t.required }]}>
            <Input autoFocus maxLength={255} />
          </Form.Item>
          <Form.Item name="scope" label={t.scope}>
            <Select options={(["read", "submit", "all"] as const).map((value) => ({ value, label: t.scopes[value] }))} />
          </Form.Item>
          <Form.Item name="days" label={t.expires}>
            <Select options={[7, 30, 90, 365].map((days) => ({ value: days, label: t.days(days) })).concat({ value: 0, label: t.never })} />
          </Form.Item>
        </Form>
      )}
    </Modal>
  );
}
