import { Tag, type TableColumnsType } from "antd";
import { Link } from "wouter";
import type { JobLine } from "../api/types";
import { path } from "../api/client";
import { say } from "../api/words";
import { Elapsed } from "../i18n/Ticking";
import type { Formats } from "../i18n/format";
import type { Language } from "../i18n/language";
import { StateTag } from "./StateTag";
import type { jobsTexts } from "./texts";
import type { JobsView } from "./view";
import { RowActions } from "./RowActions";

type Texts = typeof jobsTexts.en;

export function jobPath(job: { user: string; name: string }): string {
  return path`/jobs/${job.user}/${job.name}`;
}

export function reasonOf(job: JobLine, language: Language): string {
  return say({ code: job.reasonCode, message: job.reason, params: job.reasonParams }, language);
}

/** Only rows whose job has changed are drawn again. */
const changed = (now: JobLine, before: JobLine) => now !== before;

export function columns(t: Texts, formats: Formats, language: Language, view: JobsView, narrow: boolean): TableColumnsType<JobLine> {
  const sorting = (field: string) => ({
    key: field,
    sorter: true,
    sortOrder: view.sort === field ? ("ascend" as const) : view.sort === `-${field}` ? ("descend" as const) : null,
    shouldCellUpdate: changed,
  });
  return [
    { ...sorting("name"), title: t.name, className: "wide", render: (_, job) => <NameCell job={job} /> },
    { ...sorting("state"), title: t.state, width: narrow ? 150 : 240, render: (_, job) => <StateCell job={job} language={language} /> },
    ...(view.scope !== "mine"
      ? [{ ...sorting("user"), title: t.user, width: 130, ellipsis: true, dataIndex: "user", responsive: ["md" as const] }]
      : []),
    {
      ...sorting("virtualCluster"),
      title: t.cluster,
      width: 120,
      ellipsis: true,
      dataIndex: "virtualCluster",
      responsive: ["xl"],
    },
    {
      ...sorting("submitted"),
      title: t.submitted,
      width: 164,
      responsive: ["md"],
      render: (_, job) => <span className="number">{formats.time(job.submitted)}</span>,
    },
    {
      key: "duration",
      title: t.duration,
      width: 96,
      align: "right",
      shouldCellUpdate: changed,
      responsive: ["sm"],
      render: (_, job) => job.started !== null && <Elapsed from={job.started} to={job.ended} />,
    },
    { ...sorting("tasks"), title: t.tasks, width: 72, align: "right", dataIndex: "taskCount", responsive: ["xl"] },
    { ...sorting("devices"), title: t.devices, width: 72, align: "right", dataIndex: "devices", responsive: ["lg"] },
    { ...sorting("retries"), title: t.retries, width: 84, align: "right", dataIndex: "retries", responsive: ["xxl"] },
    { key: "actions", title: "", width: 44, shouldCellUpdate: changed, render: (_, job) => <RowActions job={job} /> },
  ];
}

function NameCell(props: { job: JobLine }) {
  const { job } = props;
  return (
    <>
      <Link href={jobPath(job)} className="job-name">
        {job.name}
      </Link>
      {job.tags?.map((tag) => (
        <Tag key={tag} bordered={false} className="job-tag" title={tag}>
          {tag}
        </Tag>
      ))}
    </>
  );
}

/** Why it waits or how it ended, below the state. */
function StateCell(props: { job: JobLine; language: Language }) {
  const reason = reasonOf(props.job, props.language);
  return (
    <>
      <StateTag state={props.job.state} />
      {reason && (
        <div className="job-reason" title={reason}>
          {reason}
        </div>
      )}
    </>
  );
}
