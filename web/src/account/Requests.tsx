import { useState } from "react";
import { PlusOutlined } from "@ant-design/icons";
import { App, Button, Form, Input, Modal, Popconfirm, Select, Table, Tag } from "antd";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import type { Requests as RequestBodies, UserRequest } from "../api/description";
import { ErrorAlert, useErrorText } from "../api/ErrorAlert";
import { usePaging } from "../app/paging";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { accountTexts } from "./texts";

type NewRequestValues = RequestBodies["ask"];

const KEY = ["requests"];
const colours: Readonly<Record<string, string>> = { OPEN: "gold", GRANTED: "green", REFUSED: "red" };

export function Requests() {
  const t = useTexts(accountTexts);
  const formats = useFormats();
  const errorText = useErrorText();
  const { message } = App.useApp();
  const client = useQueryClient();
  const paging = usePaging();
  const [creating, setCreating] = useState(false);
  const requests = useQuery({
    queryKey: KEY,
    queryFn: () => api.get<"listRequests">("/requests", { query: { limit: 500 } }),
  });
  const refresh = () => client.invalidateQueries({ queryKey: KEY });
  const withdraw = useMutation({
    mutationFn: (request: UserRequest) => api.delete(path`/requests/${request.id}`),
    onSuccess: refresh,
    onError: (error) => message.error(errorText(error)),
  });
  const states = t.requestStates as Readonly<Record<string, string>>;
  return (
    <>
      <p className="quiet">{t.requestsHint}</p>
      <Table<UserRequest>
        size="small"
        rowKey="id"
        loading={requests.isPending}
        dataSource={requests.data?.requests ?? []}
        pagination={paging}
        scroll={{ x: "max-content" }}
        locale={{ emptyText: t.noRequests }}
        columns={[
          { title: t.requestKind, key: "kind", render: (_, request) => t.requestKinds[request.kind] ?? request.kind },
          { title: t.what, dataIndex: "what" },
          { title: t.text, dataIndex: "text" },
          {
            title: t.state,
            key: "state",
            render: (_, { state }) => <Tag color={colours[state.toUpperCase()]}>{states[state.toUpperCase()] ?? state}</Tag>,
          },
          { title: t.answer, dataIndex: "word" },
          { title: t.created, key: "created", render: (_, request) => formats.time(request.created) },
          {
            title: "",
            key: "withdraw",
            align: "right",
            render: (_, request) =>
              request.state.toUpperCase() === "OPEN" && (
                <Popconfirm title={t.withdrawQuestion} okText={t.withdraw} cancelText={t.cancel} onConfirm={() => withdraw.mutate(request)}>
                  <Button size="small">{t.withdraw}</Button>
                </Popconfirm>
              ),
          },
        ]}
      />
      <Button type="primary" icon={<PlusOutlined />} className="below" onClick={() => setCreating(true)}>
        {t.newRequest}
      </Button>
      {creating && <NewRequest close={() => (setCreating(false), void refresh())} />}
    </>
  );
}

function NewRequest(props: { close: () => void }) {
  const t = useTexts(accountTexts);
  const [form] = Form.useForm<NewRequestValues>();
  const ask = useMutation({ mutationFn: (given: NewRequestValues) => api.post<"ask">("/requests", given), onSuccess: props.close });
  const kinds = ["device", "pool", "data", "other"] as const;
  return (
    <Modal open title={t.newRequest} okText={t.send} cancelText={t.cancel} confirmLoading={ask.isPending} onOk={form.submit} onCancel={props.close}>
      {ask.error && <ErrorAlert error={ask.error} />}
      <Form<NewRequestValues> form={form} layout="vertical" requiredMark={false} initialValues={{ kind: "device" }} onFinish={(given) => ask.mutate(given)}>
        <Form.Item name="kind" label={t.requestKind}>
          <Select options={kinds.map((value) => ({ value, label: t.requestKinds[value] }))} />
        </Form.Item>
        <Form.Item name="what" label={t.what} rules={[{ required: true, message: t.required }]}>
          <Input autoFocus maxLength={255} />
        </Form.Item>
        <Form.Item name="text" label={t.text}>
          <Input.TextArea rows={4} maxLength={2000} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
