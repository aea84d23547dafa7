import { Button, Tag, type TableColumnsType } from "antd";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api } from "../api/client";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { DataTable } from "../components/DataTable";
import { TruncatedText, TagList } from "../components/TruncatedText";
import { QuotaBar } from "./QuotaBar";
import { clusterTexts } from "./texts";
import type { VirtualCluster } from "./types";

/** The virtual clusters that the user may use, with quota and usage. */
export default function VirtualClusters() {
  const t = useTexts(clusterTexts);
  const { admin } = useMe();
  const query = useQuery({
    queryKey: ["jobs", "virtual-clusters"],
    queryFn: () => api.get<"listVirtualClusters">("/virtual-clusters"),
  });
  return (
    <>
      {admin && (
        <div className="filters">
          <Link href="/admin/virtual-clusters" asChild>
            <Button>{t.manage}</Button>
          </Link>
        </div>
      )}
      <DataTable
        label={t.tabs.clusters}
        query={query}
        rows={query.data?.virtualClusters}
        columns={useQuotaColumns()}
        rowKey="name"
        empty={t.emptyClusters}
      />
    </>
  );
}

export function useQuotaColumns(): TableColumnsType<VirtualCluster> {
  const t = useTexts(clusterTexts);
  const formats = useFormats();
  const amount = (label: string, key: "devices" | "cpus" | "memoryMB", write: (value: number) => string) => ({
    title: label,
    key,
    render: (_: unknown, { quota, used, total }: VirtualCluster) => (
      <QuotaBar label={label} used={used[key]} quota={quota[key]} total={total[key]} write={write} />
    ),
  });
  return [
    {
      title: t.name,
      dataIndex: "name",
      sorter: (a, b) => a.name.localeCompare(b.name),
      render: (name: string, { description }) => (
        <>
          <strong>
            <TruncatedText text={name} />
          </strong>
          <div className="quiet">
            <TruncatedText text={description} />
          </div>
        </>
      ),
    },
    { title: t.running, key: "running", align: "right", render: (_, { used }) => formats.number(used.runningJobs) },
    amount(t.devices, "devices", formats.number),
    amount(t.cpus, "cpus", formats.number),
    amount(t.memory, "memoryMB", formats.memory),
    {
      title: t.deviceTypes,
      key: "types",
      render: (_, { quota, used }) =>
        Object.entries(quota.deviceTypes ?? {}).map(([type, most]) => (
          <Tag key={type}>
            {type} {used.deviceTypes[type] ?? 0}/{most}
          </Tag>
        )),
    },
    { title: t.groups, dataIndex: "groups", render: (groups: string[]) => <TagList names={groups} /> },
  ];
}
