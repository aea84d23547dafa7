import { Alert, Form, Input, Modal, Select, Typography } from "antd";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api/client";
import { Refusal } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { accountTexts } from "./texts";

interface Wish {
  readonly name: string;
  readonly scope: "read" | "submit" | "all";
  readonly days: number;
}

const DAY_SECONDS = 86_400;

/** A token is shown once, so the dialog does not close by a click beside it. */
export function NewToken(props: { close: () => void }) {
  const t = useTexts(accountTexts);
  const [form] = Form.useForm<Wish>();
  const make = useMutation({
    mutationFn: ({ days, ...wish }: Wish) =>
      api.post<{ token: string }>("/tokens", { ...wish, ...(days > 0 ? { expiresInSeconds: days * DAY_SECONDS } : {}) }),
  });
  const made = make.data?.token;
  return (
    <Modal
      open
      title={t.newToken}
      maskClosable={false}
      okText={made ? t.copied : t.add}
      cancelText={t.cancel}
      cancelButtonProps={{ hidden: Boolean(made) }}
      confirmLoading={make.isPending}
      onOk={() => (made ? props.close() : form.submit())}
      onCancel={props.close}
    >
      {make.error && <Refusal error={make.error} />}
      {made ? (
        <Alert
          type="success"
          message={t.made}
          description={
            <Typography.Text code copyable className="secret">
              {made}
            </Typography.Text>
          }
        />
      ) : (
        <Form<Wish> form={form} layout="vertical" requiredMark={false} initialValues={{ scope: "submit", days: 90 }} onFinish={(wish) => make.mutate(wish)}>
          <Form.Item name="name" label={t.tokenName} rules={[{ required: true, message: t.needed }]}>
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
