import { Form, Input, InputNumber } from "antd";
import { api, path } from "../../api/client";
import type { VirtualCluster } from "../../cluster/types";
import { useTexts } from "../../i18n/language";
import { FormDrawer } from "../../components/FormDrawer";
import { GroupsField } from "../../components/GroupsField";
import { componentTexts } from "../../components/texts";
import { adminTexts } from "../texts";
import { TypeFields, type TypeRow } from "./TypeFields";
import { clusterAdminTexts } from "./texts";

interface Values {
  readonly name: string;
  readonly description: string;
  readonly quota: { readonly cpus?: number | null; readonly memoryMB?: number | null; readonly devices?: number | null };
  readonly types: readonly TypeRow[];
  readonly groups: readonly string[];
}

/** Form for a new virtual cluster (`edited` is `+`) or an existing one, with the groups that may use it. */
export function ClusterForm(props: { edited: string; clusters: readonly VirtualCluster[] | undefined; close: () => void }) {
  const t = useTexts(clusterAdminTexts);
  const common = useTexts(adminTexts);
  const part = useTexts(componentTexts);
  const isNew = props.edited === "+";
  const before = props.clusters?.find((one) => one.name === props.edited);
  const numbers = [{ type: "integer" as const, min: 0, message: t.wrongNumber }];
  return (
    <FormDrawer<Values, void>
      title={isNew ? t.add : t.editTitle(props.edited)}
      open={isNew || before !== undefined}
      close={props.close}
      draft={isNew ? "cluster" : `cluster.${props.edited}`}
      initial={valuesOf(before)}
      submit={(values) => save(values, before)}
      about={["jobs", "groups", "virtual-clusters"]}
      successText={common.saved}
    >
      <Form.Item name="name" label={common.name} rules={[{ required: true, message: part.required }]}>
        <Input disabled={!isNew} autoFocus={isNew} spellCheck={false} maxLength={255} />
      </Form.Item>
      <Form.Item name="description" label={common.description}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={2000} />
      </Form.Item>
      <h3>{t.quota}</h3>
      <p className="quiet">{t.quotaHint}</p>
      <div className="field-row">
        {(["devices", "cpus", "memoryMB"] as const).map((name) => (
          <Form.Item key={name} name={["quota", name]} label={t[name]} rules={numbers}>
            <InputNumber style={{ width: "100%" }} placeholder="—" min={0} />
          </Form.Item>
        ))}
      </div>
      <TypeFields />
      <GroupsField name="groups" label={t.granted} extra={t.grantedHint} />
    </FormDrawer>
  );
}

function valuesOf(cluster: VirtualCluster | undefined): Values {
  const { deviceTypes = {}, ...quota } = cluster?.quota ?? {};
  return {
    name: cluster?.name ?? "",
    description: cluster?.description ?? "",
    quota,
    types: Object.entries(deviceTypes).map(([type, most]) => ({ type, most })),
    groups: cluster?.groups ?? [],
  };
}

async function save(values: Values, before: VirtualCluster | undefined): Promise<void> {
  const { quota, description } = values;
  const types = Object.fromEntries(values.types.filter((row) => row?.type).map(({ type, most }) => [type!.trim(), most ?? null]));
  // The API removes the quota of a device type only if the request contains the type with the value null.
  const gone = Object.keys(before?.quota.deviceTypes ?? {}).filter((type) => !(type in types));
  const body = {
    description,
    quota: {
      cpus: quota.cpus ?? null,
      memoryMB: quota.memoryMB ?? null,
      devices: quota.devices ?? null,
      deviceTypes: { ...types, ...Object.fromEntries(gone.map((type) => [type, null])) },
    },
  };
  const name = before?.name ?? values.name.trim();
  if (before) {
    await api.patch<"changeVirtualCluster">(path`/virtual-clusters/${name}`, body);
  } else {
    await api.post<"createVirtualCluster">("/virtual-clusters", { name, ...body });
  }
  await grant(name, before?.groups ?? [], values.groups);
}

/** Updates every group whose access changes, because groups store which virtual clusters they may use. */
async function grant(cluster: string, before: readonly string[], after: readonly string[]): Promise<void> {
  const changed = [...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))];
  for (const name of changed) {
    const group = await api.get<"showGroup">(path`/groups/${name}`);
    const others = group.virtualClusters.filter((one) => one !== cluster);
    const virtualClusters = after.includes(name) ? [...others, cluster] : others;
    await api.patch<"changeGroup">(path`/groups/${name}`, { virtualClusters });
  }
}
