import { Checkbox, Form, Input, Select } from "antd";
import { api, path } from "../../api/client";
import { useTexts } from "../../i18n/language";
import { FormDrawer } from "../../components/FormDrawer";
import { componentTexts } from "../../components/texts";
import { LimitFields, limitPatch } from "../LimitFields";
import { useClusters, useStorages } from "../queries";
import { adminTexts } from "../texts";
import type { Group } from "../types";
import { groupTexts } from "./texts";

const blank: Group = {
  name: "",
  description: "",
  externalName: "",
  admin: false,
  virtualClusters: [],
  storages: [],
  limits: {},
  sharesJobs: false,
};

/** Form for a new group (`edited` is `+`) or an existing one. */
export function GroupForm(props: { edited: string; groups: readonly Group[] | undefined; close: () => void }) {
  const t = useTexts(groupTexts);
  const common = useTexts(adminTexts);
  const part = useTexts(componentTexts);
  const clusters = useClusters();
  const storages = useStorages();
  const isNew = props.edited === "+";
  const before = props.groups?.find((one) => one.name === props.edited);
  const fixed = ["default", "admingroup"].includes(before?.name ?? "");
  return (
    <FormDrawer<Group, Group>
      title={isNew ? t.add : t.editTitle(props.edited)}
      open={isNew || before !== undefined}
      close={props.close}
      draft={isNew ? "group" : `group.${props.edited}`}
      initial={before ?? blank}
      submit={(values) => save(values, isNew, fixed)}
      about={["groups", "jobs", "users", "virtual-clusters"]}
      successText={common.saved}
      width={560}
    >
      <Form.Item name="name" label={common.name} rules={[{ required: true, message: part.required }]}>
        <Input disabled={!isNew} autoFocus={isNew} spellCheck={false} maxLength={255} />
      </Form.Item>
      <Form.Item name="description" label={common.description}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={2000} />
      </Form.Item>
      <Form.Item name="virtualClusters" label={common.virtualClusters} extra={t.clustersHint}>
        <Select
          mode="multiple"
          allowClear
          options={clusters.data?.virtualClusters.map(({ name }) => ({ value: name, label: name })) ?? []}
        />
      </Form.Item>
      <Form.Item name="storages" label={common.storages} extra={t.storagesHint}>
        <Select
          mode="multiple"
          allowClear
          options={storages.data?.storages.map(({ name }) => ({ value: name, label: name })) ?? []}
        />
      </Form.Item>
      <Form.Item name="externalName" label={t.external} extra={t.externalHint}>
        <Input spellCheck={false} />
      </Form.Item>
      <Form.Item name="admin" valuePropName="checked" extra={t.adminHint}>
        <Checkbox disabled={fixed}>{common.administrator}</Checkbox>
      </Form.Item>
      <Form.Item name="sharesJobs" valuePropName="checked" extra={before?.name === "default" ? t.sharesJobsAll : t.sharesJobsHint}>
        <Checkbox>{t.sharesJobs}</Checkbox>
      </Form.Item>
      <h3>{t.limits}</h3>
      <LimitFields hint={common.groupLimitsHint} />
    </FormDrawer>
  );
}

function save(values: Group, isNew: boolean, fixed: boolean): Promise<Group> {
  const { name, admin, ...rest } = values;
  const fields = { ...rest, ...(fixed ? {} : { admin }), limits: limitPatch(values.limits) };
  return isNew
    ? api.post<"createGroup">("/groups", { name: name.trim(), ...fields })
    : api.patch<"changeGroup">(path`/groups/${name}`, fields);
}
