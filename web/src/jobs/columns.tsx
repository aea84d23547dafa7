import type { ReactNode } from "react";
import type { JobListItem } from "../api/types";
import { path } from "../api/client";
import { failureOf } from "../api/messages";
import { Elapsed } from "../i18n/Elapsed";
import type { Formats } from "../i18n/format";
import type { Language } from "../i18n/language";
import { StateTag } from "../components/StateTag";
import type { jobsTexts } from "./texts";
import type { JobsView } from "./view";

type Texts = typeof jobsTexts.en;

export interface Column {
  /** The sort key of the API. */
  readonly key: string;
  readonly title: string;
  readonly sortable: boolean;
  readonly width?: number;
  /** Whether the column contains numbers, which are right-aligned. */
  readonly right?: boolean;
  /** Whether long texts are truncated instead of wrapped. */
  readonly cut?: boolean;
  /** The Ant Design breakpoint below which the column is hidden. */
  readonly from?: "sm" | "md" | "lg" | "xl" | "xxl";
  readonly render: (job: JobListItem) => ReactNode;
}

export function cellClass({ right, cut, from }: Column): string {
  return [right && "jobs-right", cut && "jobs-cut", from && `jobs-from-${from}`].filter(Boolean).join(" ");
}

export function jobPath(job: { user: string; name: string }): string {
  return path`/jobs/${job.user}/${job.name}`;
}

export function columns(t: Texts, formats: Formats, language: Language, scope: JobsView["scope"], narrow: boolean): Column[] {
  const sortable = true;
  const user: Column = { key: "user", title: t.user, sortable, width: 130, cut: true, from: "md", render: (job) => titled(job.user) };
  return [
    { key: "name", title: t.name, sortable, render: (job) => <NameCell job={job} owner={narrow && scope !== "mine"} /> },
    // Shares the remaining width with the name.
    { key: "state", title: t.state, sortable, ...(narrow ? { width: 150 } : {}), render: (job) => <StateCell job={job} language={language} /> },
    ...(scope === "mine" ? [] : [user]),
    // Hidden first because the name needs the space.
    { key: "virtualCluster", title: t.cluster, sortable, width: 120, cut: true, from: scope === "mine" ? "xl" : "xxl", render: (job) => titled(job.virtualCluster) },
    { key: "submitted", title: t.submitted, sortable, width: 164, from: "md", render: (job) => <span className="number">{formats.time(job.submitted)}</span> },
    {
      key: "duration",
      title: t.duration,
      sortable: false,
      width: 96,
      right: true,
      from: "sm",
      render: (job) => job.started !== null && <Elapsed from={job.started} to={job.ended} />,
    },
    { key: "tasks", title: t.tasks, sortable, width: 72, right: true, from: "xl", render: (job) => job.taskCount },
    { key: "devices", title: t.devices, sortable, width: 72, right: true, from: "lg", render: (job) => job.devices },
    { key: "retries", title: t.retries, sortable, width: 84, right: true, from: "xxl", render: (job) => job.retries },
  ];
}

function titled(text: string): ReactNode {
  return <span title={text}>{text}</span>;
}

/** Shows the owner below the name if the window is too narrow for a column of owners. */
function NameCell(props: { job: JobListItem; owner: boolean }) {
  const { job } = props;
  return (
    <>
      <a href={jobPath(job)} className="job-name">
        {job.name}
      </a>
      {props.owner && <div className="job-reason">{job.user}</div>}
      {job.tags?.map((tag) => (
        <span key={tag} className="job-tag" title={tag}>
          {tag}
        </span>
      ))}
    </>
  );
}

/** The state, and below it the reason for waiting, the diagnosis or the result. */
function StateCell(props: { job: JobListItem; language: Language }) {
  const { short, full } = failureOf(props.job, props.language);
  return (
    <>
      <StateTag state={props.job.state} neverFits={props.job.neverFits} />
      {short && (
        <div className="job-reason" title={full}>
          {short}
        </div>
      )}
    </>
  );
}
