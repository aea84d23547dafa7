import { useQuery } from "@tanstack/react-query";
import type { TableColumnsType } from "antd";
import { Link } from "wouter";
import { api } from "../api/client";
import type { JobListItem } from "../api/types";
import { messageText } from "../api/messages";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { DataTable } from "../components/DataTable";
import { TruncatedText } from "../components/TruncatedText";
import { clusterTexts } from "./texts";

const MOST = 200;

/** The waiting jobs, each with the reason why it waits. */
export default function Queue() {
  const t = useTexts(clusterTexts);
  const query = useQuery({
    queryKey: ["jobs", "queue"],
    queryFn: () =>
      api.get<"listJobs">("/jobs", {
        query: { state: "WAITING", sort: "submitted", limit: MOST, total: true },
      }),
  });
  const total = query.data?.total ?? 0;
  return (
    <>
      <p className="quiet">
        {t.queueHint} {total > MOST && t.queueMore(MOST, total)}
      </p>
      <DataTable
        label={t.tabs.queue}
        query={query}
        rows={query.data?.jobs}
        columns={useColumns()}
        rowKey="id"
        empty={t.emptyQueue}
      />
    </>
  );
}

function useColumns(): TableColumnsType<JobListItem> {
  const t = useTexts(clusterTexts);
  const formats = useFormats();
  const { language } = useLanguage();
  return [
    {
      title: t.job,
      dataIndex: "name",
      render: (name: string, { user }) => (
        <Link href={`/jobs/${encodeURIComponent(user)}/${encodeURIComponent(name)}`}>
          <TruncatedText text={name} />
        </Link>
      ),
    },
    { title: t.user, dataIndex: "user", render: (user: string) => <TruncatedText text={user} width={140} /> },
    { title: t.cluster, dataIndex: "virtualCluster", render: (name: string) => <TruncatedText text={name} width={140} /> },
    {
      title: t.resources,
      key: "resources",
      render: (_, job) => t.wants(formats.number(job.cpus), formats.memory(job.memoryMB), job.devices),
    },
    { title: t.priority, dataIndex: "priority" },
    { title: t.waiting, dataIndex: "submitted", render: formats.time },
    {
      title: t.reason,
      key: "reason",
      render: (_, job) => (
        <div className="prose">{messageText({ code: job.reasonCode, message: job.reason, params: job.reasonParams }, language)}</div>
      ),
    },
  ];
}
