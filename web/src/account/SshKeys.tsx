import { App, Button, Form, Input, Popconfirm, Table } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import type { Requests } from "../api/description";
import { ErrorAlert, useErrorText } from "../api/ErrorAlert";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { profileKey, useProfile, type SshKey } from "./profile";
import { accountTexts } from "./texts";

type NewKey = Requests["addSshKey"];

export function SshKeys() {
  const t = useTexts(accountTexts);
  const formats = useFormats();
  const errorText = useErrorText();
  const { message } = App.useApp();
  const client = useQueryClient();
  const [form] = Form.useForm<NewKey>();
  const profile = useProfile();
  const refresh = () => client.invalidateQueries({ queryKey: profileKey });
  const add = useMutation({
    mutationFn: (given: NewKey) => api.post<"addSshKey">("/users/me/ssh-keys", given),
    onSuccess: () => {
      form.resetFields();
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (key: SshKey) => api.delete(path`/users/me/ssh-keys/${key.id}`),
    onSuccess: refresh,
    onError: (error) => message.error(errorText(error)),
  });
  return (
    <>
      <p className="quiet">{t.keysHint}</p>
      <Table<SshKey>
        size="small"
        rowKey="id"
        loading={profile.isPending}
        dataSource={[...(profile.data?.sshKeys ?? [])]}
        pagination={false}
        locale={{ emptyText: t.noKeys }}
        scroll={{ x: "max-content" }}
        columns={[
          { title: t.keyTitle, dataIndex: "title" },
          { title: t.fingerprint, dataIndex: "fingerprint", render: (text: string) => <code>{text}</code> },
          { title: t.created, dataIndex: "created", render: (at: number) => formats.time(at) },
          {
            title: "",
            key: "remove",
            align: "right",
            render: (_, key) => (
              <Popconfirm title={t.removeKey(key.title)} okText={t.remove} cancelText={t.cancel} onConfirm={() => remove.mutate(key)}>
                <Button size="small" danger>
                  {t.remove}
                </Button>
              </Popconfirm>
            ),
          },
        ]}
      />
      <Form<NewKey> form={form} layout="vertical" className="narrow below" requiredMark={false} onFinish={(given) => add.mutate(given)}>
        {add.error && <ErrorAlert error={add.error} />}
        <Form.Item name="key" label={t.key} rules={[{ required: true, message: t.required }]}>
          <Input.TextArea rows={3} spellCheck={false} className="code" />
        </Form.Item>
        <Form.Item name="title" label={t.keyTitle}>
          <Input maxLength={255} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={add.isPending}>
          {t.add}
        </Button>
      </Form>
    </>
  );
}
