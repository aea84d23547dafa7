import { Button, Checkbox, Form, Input, Tag, type TableColumnsType } from "antd";
import { PlusOutlined } from "@ant-design/icons";
import { api, path } from "../../api/client";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { DataTable } from "../../components/DataTable";
import { FormDrawer } from "../../components/FormDrawer";
import { componentTexts } from "../../components/texts";
import { TruncatedText } from "../../components/TruncatedText";
import { useStorages } from "../queries";
import { adminTexts } from "../texts";
import type { Storage } from "../types";
import { storageTexts } from "./texts";

const blank: Storage = { name: "", description: "", readOnly: false, default: false };

export default function Storages() {
  const t = useTexts(storageTexts);
  const common = useTexts(adminTexts);
  const part = useTexts(componentTexts);
  const [edited, setEdited] = useSearchParam("edit");
  const query = useStorages();
  return (
    <>
      <div className="filters">
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.add}
        </Button>
      </div>
      <DataTable
        label={common.storages}
        query={query}
        rows={query.data?.storages}
        columns={useColumns()}
        rowKey="name"
        empty={t.empty}
      />
      <FormDrawer
        title={t.add}
        open={edited === "+"}
        close={() => setEdited("")}
        draft="storage"
        initial={blank}
        submit={(values) => api.post<"createStorage">("/storages", { ...values, name: values.name.trim() })}
        about={["storages"]}
        successText={common.saved}
      >
        <Form.Item name="name" label={common.name} extra={t.nameHint} rules={[{ required: true, message: part.required }]}>
          <Input autoFocus spellCheck={false} />
        </Form.Item>
        <Form.Item name="description" label={common.description}>
          <Input.TextArea autoSize={{ minRows: 2 }} maxLength={2000} />
        </Form.Item>
        <Form.Item name="readOnly" valuePropName="checked" extra={t.readOnlyHint}>
          <Checkbox>{t.readOnly}</Checkbox>
        </Form.Item>
        <Form.Item name="default" valuePropName="checked" extra={t.defaultHint}>
          <Checkbox>{t.default}</Checkbox>
        </Form.Item>
      </FormDrawer>
    </>
  );
}

function useColumns(): TableColumnsType<Storage> {
  const t = useTexts(storageTexts);
  const common = useTexts(adminTexts);
  return [
    {
      title: common.name,
      dataIndex: "name",
      render: (name: string, one) => (
        <>
          <strong>
            <TruncatedText text={name} />
          </strong>{" "}
          {one.readOnly && <Tag>{t.readOnly}</Tag>}
          {one.default && <Tag color="processing">{t.default}</Tag>}
        </>
      ),
    },
    { title: common.description, dataIndex: "description", render: (text: string) => <TruncatedText text={text} width={400} /> },
    { title: "", key: "actions", render: (_, { name }) => <Remove name={name} /> },
  ];
}

function Remove({ name }: { name: string }) {
  const t = useTexts(storageTexts);
  const common = useTexts(adminTexts);
  const remove = useChange(() => api.delete(path`/storages/${name}`), {
    about: ["storages", "groups"],
    successText: common.removed,
  });
  return (
    <ConfirmButton danger question={t.removeQuestion(name)} loss={t.removeLoss} confirmText={common.remove} onConfirm={() => remove.mutateAsync()}>
      {common.remove}
    </ConfirmButton>
  );
}
