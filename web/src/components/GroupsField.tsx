import { Form, Select } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";

interface Props {
  readonly name: string;
  readonly label: string;
  readonly extra?: string;
  /** Selects one group instead of several. */
  readonly single?: boolean;
}

/** Selects groups: users can choose their own groups, administrators all of them. */
export function GroupsField({ name, label, extra, single }: Props) {
  const query = useQuery({
    queryKey: ["groups"],
    queryFn: () => api.get<"listGroups">("/groups"),
  });
  const options = query.data?.groups.map((group) => ({ value: group.name, label: group.name })) ?? [];
  return (
    <Form.Item name={name} label={label} extra={extra}>
      <Select
        {...(single ? {} : { mode: "multiple" as const })}
        allowClear
        showSearch
        loading={query.isPending}
        options={options}
      />
    </Form.Item>
  );
}
