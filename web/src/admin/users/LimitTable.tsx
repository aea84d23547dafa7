import { Table } from "antd";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { adminTexts } from "../texts";
import type { LimitName, UserLimits } from "../types";
import { userTexts } from "./texts";

/** The effective limits of a user, from all sources, and the current usage. */
export function LimitTable({ limits }: { limits: UserLimits }) {
  const t = useTexts(userTexts);
  const common = useTexts(adminTexts);
  const formats = useFormats();
  const names = Object.keys(common.limits) as LimitName[];
  const write = (value: number | undefined) => (value === undefined ? common.unlimited : formats.number(value));
  return (
    <Table
      size="small"
      pagination={false}
      rowKey="name"
      dataSource={names.map((name) => ({ name }))}
      columns={[
        { title: common.name, dataIndex: "name", render: (name: LimitName) => common.limits[name] },
        { title: t.counts, dataIndex: "name", key: "counts", align: "right", render: (name: LimitName) => write(limits.limits[name]) },
        {
          title: t.used,
          dataIndex: "name",
          key: "used",
          align: "right",
          render: (name: LimitName) => formats.number(limits.used[name] ?? 0),
        },
      ]}
    />
  );
}
