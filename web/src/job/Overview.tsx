import { lazy, Suspense, useEffect, useState } from "react";
import { Alert, Button, Card, Descriptions, Progress, Typography } from "antd";
import { Link } from "wouter";
import { reasonOf, messageText } from "../api/messages";
import { isFinished } from "../api/types";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { NeverFits } from "../submit/NeverFits";
import { DiagnosisCard } from "./DiagnosisCard";
import { JobTimeline } from "./JobTimeline";
import { LogTailCard } from "./LogTailCard";
import { TaskAddresses } from "./TaskAddresses";
import { jobTexts } from "./texts";
import type { Job } from "./types";

/** Loaded separately because it contains the parsers of job files. */
const JobCommands = lazy(() => import("./JobCommands"));

/** The most important data of a job: the reason for its state, its command, addresses, last output and timeline. */
export function Overview({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  return (
    <div className="job-overview">
      <Cause job={job} id={id} />
      <Notices job={job} />
      <div className="job-columns">
        <div>
          <Card size="small" title={t.command}>
            <Suspense>
              <JobCommands id={id} />
            </Suspense>
          </Card>
          <LogTailCard job={job} id={id} />
          <Card size="small" title={t.timeLine}>
            <JobTimeline job={job} />
          </Card>
        </div>
        <div>
          <TaskAddresses job={job} />
          <Card size="small" title={t.facts}>
            <Facts job={job} />
          </Card>
        </div>
      </div>
    </div>
  );
}

/** A box with the reason why the job can never start, the diagnosis of a failure, or the reason for any other state. */
function Cause({ job, id }: { job: Job; id: string }) {
  const { language } = useLanguage();
  if (job.neverFits) {
    return (
      <NeverFits
        why={job}
        remedy={(_, label) => (
          <Link href={`/submit?clone=${encodeURIComponent(id)}&fit`} asChild>
            <Button type="primary">{label}</Button>
          </Link>
        )}
      />
    );
  }
  if (job.diagnosis && job.state === "FAILED") {
    return <DiagnosisCard diagnosis={job.diagnosis} reason={reasonOf(job, language)} over />;
  }
  return <Why job={job} />;
}

/** The notices of a job in one box, except for those that the diagnosis contains. */
function Notices({ job }: { job: Job }) {
  const { language } = useLanguage();
  const explained = job.state === "FAILED" && job.diagnosis?.cause.code?.endsWith(".host-cause");
  const notices = job.notices.filter(({ code }) => !(explained && code === "notice.image-unused")).map((notice) => messageText(notice, language));
  if (notices.length === 0) {
    return null;
  }
  const list = (
    <ul className="problems">
      {notices.map((text, i) => (
        <li key={i}>{text}</li>
      ))}
    </ul>
  );
  return <Alert className="job-notice" type="info" showIcon message={notices.length === 1 ? notices[0] : list} />;
}

/** The reason for the state, and the progress of an image pull. */
function Why({ job }: { job: Job }) {
  const { language } = useLanguage();
  const t = useTexts(jobTexts);
  const reason = reasonOf(job, language);
  if (!reason) {
    return null;
  }
  const percent = job.reasonCode === "wait.pulling-progress" ? Number(job.reasonParams?.["percent"]) : NaN;
  const type = job.state === "FAILED" ? "error" : job.state === "SUCCEEDED" ? "success" : job.state === "STOPPED" ? "warning" : "info";
  return (
    <Alert
      className="job-notice"
      type={type}
      showIcon
      message={<span className="wrap sentence">{reason}</span>}
      description={Number.isFinite(percent) ? <Progress percent={percent} size="small" aria-label={t.pulling} /> : undefined}
    />
  );
}

function Facts({ job }: { job: Job }) {
  const t = useTexts(jobTexts);
  const formats = useFormats();
  const now = useNow(!isFinished(job.state));
  const begun = job.started;
  const items = [
    { key: "user", label: t.user, children: <bdi>{job.user}</bdi> },
    { key: "vc", label: t.virtualCluster, children: <bdi>{job.virtualCluster}</bdi> },
    { key: "priority", label: t.priority, children: job.priority ?? "–" },
    {
      key: "image",
      label: t.image,
      children: job.image ? <Typography.Text copyable={{ text: job.image }} className="wrap">{job.image}</Typography.Text> : "–",
    },
    { key: "tasks", label: t.taskCount, children: formats.number(job.taskCount) },
    { key: "cpus", label: t.cpus, children: formats.number(job.cpus) },
    { key: "memory", label: t.memory, children: formats.memory(job.memoryMB) },
    { key: "devices", label: t.devices, children: formats.number(job.devices) },
    { key: "duration", label: t.duration, children: begun === null ? "–" : formats.duration((job.ended ?? now) - begun) },
    { key: "exit", label: t.exitCode, children: job.exitCode ?? "–" },
    { key: "retries", label: t.retries, children: formats.number(job.retries) },
    { key: "id", label: t.id, children: <Typography.Text code copyable className="wrap">{job.id}</Typography.Text> },
    ...(job.stoppedBy ? [{ key: "by", label: t.stoppedBy, children: <bdi>{job.stoppedBy}</bdi> }] : []),
  ];
  return <Descriptions size="small" column={{ xs: 1, sm: 2, md: 2, lg: 2, xl: 2, xxl: 2 }} items={items} />;
}

/** Returns the current time; updated every second while `ticking`. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) {
      return;
    }
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
