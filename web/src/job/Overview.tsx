import { useEffect, useState } from "react";
import { Alert, Card, Descriptions, Progress, Typography } from "antd";
import { reasonOf, messageText } from "../api/messages";
import { isFinished } from "../api/types";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { DiagnosisCard } from "./DiagnosisCard";
import { JobTimeline } from "./JobTimeline";
import { jobTexts } from "./texts";
import type { Job } from "./types";

/** The description, state and timeline of a job. */
export function Overview({ job }: { job: Job }) {
  const t = useTexts(jobTexts);
  const { language } = useLanguage();
  return (
    <div className="job-overview">
      <Why job={job} />
      {job.diagnosis && job.state === "FAILED" && <DiagnosisCard diagnosis={job.diagnosis} over />}
      {job.notices.map((notice, i) => (
        <Alert key={i} className="job-notice" type="info" showIcon message={messageText(notice, language)} />
      ))}
      <div className="job-columns">
        <Card size="small" title={t.timeLine}>
          <JobTimeline job={job} />
        </Card>
        <Card size="small" title={t.facts}>
          <Facts job={job} />
        </Card>
      </div>
    </div>
  );
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
