import { Progress, Table, Tag } from "antd";
import { usePaging } from "../../app/paging";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { TruncatedText } from "../../components/TruncatedText";
import { usageTexts } from "./texts";
import { whoOf, type Measure, type Sums, type UsageAnswer } from "./types";

/** Totals for the whole period, largest first. */
export function UsageTable({ usage, by, measure }: { usage: UsageAnswer; by: "user" | "virtualCluster"; measure: Measure }) {
  const t = useTexts(usageTexts);
  const paging = usePaging();
  const formats = useFormats();
  const total = (key: Measure) => usage.totals.reduce((sum, one) => sum + one[key], 0);
  const whole = total(measure);
  const rows = [...usage.totals].sort((a, b) => b[measure] - a[measure]).map((one) => ({ ...one, key: whoOf(one) }));
  const column = (key: Measure) => ({
    title: t.measures[key],
    dataIndex: key,
    align: "right" as const,
    sorter: (a: Sums, b: Sums) => a[key] - b[key],
    render: key === "jobs" ? formats.number : formats.hours,
  });
  const share = (one: Sums) => (whole > 0 ? Math.round((one[measure] / whole) * 100) : 0);
  return (
    <div className="table-scroll" role="region" aria-label={t.label} tabIndex={0}>
      <Table
        size="small"
        dataSource={rows}
        pagination={{ ...paging, defaultPageSize: 50 }}
        columns={[
          { title: t.bys[by], dataIndex: "key", render: (name: string) => <TruncatedText text={name} /> },
          column("deviceHours"),
          column("cpuHours"),
          column("jobs"),
          {
            title: t.types,
            dataIndex: "devices",
            render: (devices: Sums["devices"]) =>
              Object.entries(devices).map(([type, hours]) => (
                <Tag key={type} bordered={false}>
                  {type}: {formats.hours(hours)}
                </Tag>
              )),
          },
          {
            title: t.share,
            key: "share",
            width: 140,
            render: (_, one) => <Progress size="small" percent={share(one)} status="normal" aria-label={whoOf(one)} />,
          },
        ]}
        summary={() => (
          <Table.Summary.Row>
            <Table.Summary.Cell index={0}>
              <strong>{t.total}</strong>
            </Table.Summary.Cell>
            {(["deviceHours", "cpuHours", "jobs"] as const).map((key, i) => (
              <Table.Summary.Cell key={key} index={i + 1} align="right">
                {key === "jobs" ? formats.number(total(key)) : formats.hours(total(key))}
              </Table.Summary.Cell>
            ))}
            <Table.Summary.Cell index={4} colSpan={2} />
          </Table.Summary.Row>
        )}
      />
    </div>
  );
}
