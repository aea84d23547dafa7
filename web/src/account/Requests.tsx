import { useState } from "react";
import { PlusOutlined } from "@ant-design/icons";
import { App, Button, Form, Input, Modal, Popconfirm, Select, Table, Tag } from "antd";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { Refusal, useSayError } from "../api/ErrorAlert";
import { usePaging } from "../app/paging";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { accountTexts } from "./texts";

interface Wish {
  readonly kind: "device" | "pool" | "data" | "other";
  readonly what: string;
  readonly text?: string;
}

interface Asked extends Wish {
  readonly id: string;
  readonly state: string;
  readonly word: string | null;
  readonly created: number;
}

const KEY = ["requests"];
const colours: Readonly<Record<string, string>> = { OPEN: "gold", GRANTED: "green", REFUSED: "red" };

export function Requests() {
  const t = useTexts(accountTexts);
  const formats = useFormats();
  const sayError = useSayError();
  const { message } = App.useApp();
  const client = useQueryClient();
  const paging = usePaging();
  const [asking, setAsking] = useState(false);
  const requests = useQuery({
    queryKey: KEY,
    queryFn: () => api.get<{ requests: Asked[] }>("/requests", { query: { limit: 500 } }),
  });
  const refresh = () => client.invalidateQueries({ queryKey: KEY });
  const withdraw = useMutation({
    mutationFn: (asked: Asked) => api.delete(path`/requests/${asked.id}`),
    onSuccess: refresh,
    onError: (error) => message.error(sayError(error)),
  });
  const states = t.requestStates as Readonly<Record<string, string>>;
  return (
    <>
      <p className="quiet">{t.requestsHint}</p>
      <Table<Asked>
        size="small"
        rowKey="id"
        loading={requests.isPending}
        dataSource={requests.data?.requests ?? []}
        pagination={paging}
        scroll={{ x: "max-content" }}
        locale={{ emptyText: t.noRequests }}
        columns={[
          { title: t.requestKind, key: "kind", render: (_, asked) => t.requestKinds[asked.kind] ?? asked.kind },
          { title: t.what, dataIndex: "what" },
          { title: t.text, dataIndex: "text" },
          {
            title: t.state,
            key: "state",
            render: (_, { state }) => <Tag color={colours[state.toUpperCase()]}>{states[state.toUpperCase()] ?? state}</Tag>,
          },
          { title: t.answer, dataIndex: "word" },
          { title: t.created, key: "created", render: (_, asked) => formats.time(asked.created) },
          {
            title: "",
            key: "withdraw",
            align: "right",
            render: (_, asked) =>
              asked.state.toUpperCase() === "OPEN" && (
                <Popconfirm title={t.withdrawAsk} okText={t.withdraw} cancelText={t.cancel} onConfirm={() => withdraw.mutate(asked)}>
                  <Button size="small">{t.withdraw}</Button>
                </Popconfirm>
              ),
          },
        ]}
      />
      <Button type="primary" icon={<PlusOutlined />} className="below" onClick={() => setAsking(true)}>
        {t.newRequest}
      </Button>
      {asking && <NewRequest close={() => (setAsking(false), void refresh())} />}
    </>
  );
}

function NewRequest(props: { close: () => void }) {
  const t = useTexts(accountTexts);
  const [form] = Form.useForm<Wish>();
  const ask = useMutation({ mutationFn: (wish: Wish) => api.post("/requests", wish), onSuccess: props.close });
  const kinds = ["device", "pool", "data", "other"] as const;
  return (
    <Modal open title={t.newRequest} okText={t.send} cancelText={t.cancel} confirmLoading={ask.isPending} onOk={form.submit} onCancel={props.close}>
      {ask.error && <Refusal error={ask.error} />}
      <Form<Wish> form={form} layout="vertical" requiredMark={false} initialValues={{ kind: "device" }} onFinish={(wish) => ask.mutate(wish)}>
        <Form.Item name="kind" label={t.requestKind}>
          <Select options={kinds.map((value) => ({ value, label: t.requestKinds[value] }))} />
        </Form.Item>
        <Form.Item name="what" label={t.what} rules={[{ required: true, message: t.needed }]}>
          <Input autoFocus maxLength={255} />
        </Form.Item>
        <Form.Item name="text" label={t.text}>
          <Input.TextArea rows={4} maxLength={2000} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
