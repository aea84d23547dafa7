import { Timeline } from "antd";
import { messageText } from "../api/messages";
import { isFinished, type JobEvent } from "../api/types";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { useNow } from "./Overview";
import { historyTexts } from "./history-texts";
import { jobTexts } from "./texts";
import type { Job } from "./types";
import { useJobEvents } from "./use-job";

/** The state changes of a job; events of single tasks are listed on the events tab only. */
const steps = new Set(["SUBMITTED", "WAITING", "PREPARING", "RUNNING", "STOPPING", "RETRYING", "PAUSED", "RESUMED", "SUCCEEDED", "FAILED", "STOPPED"]);
const MOST = 30;

export function JobTimeline({ job }: { job: Job }) {
  const t = useTexts(jobTexts);
  const names = useTexts(historyTexts);
  const kinds: Readonly<Record<string, string>> = names.event;
  const { language } = useLanguage();
  const formats = useFormats();
  const query = useJobEvents(`${job.user}~${job.name}`);
  const now = useNow(!isFinished(job.state));
  const all = (query.data?.pages ?? []).flatMap((page) => page.events);
  const newest = withLastPull(all).slice(0, MOST).reverse();
  const items = newest.map((event, i) => ({
    color: colorOf(event),
    children: (
      <div className="step">
        <strong>{kinds[event.type] ?? event.type}</strong>{" "}
        {event.attempt > 1 && event.type === "RUNNING" && <span>{t.attemptNumber(event.attempt)} </span>}
        <span className="step-time">
          <time dateTime={new Date(event.time).toISOString()}>{formats.time(event.time)}</time>
          {" · "}
          {formats.duration((newest[i + 1]?.time ?? (isFinished(job.state) ? event.time : now)) - event.time)}
        </span>
        <div className="step-words wrap">
          <span className="sentence">{messageText(event, language)}</span>
        </div>
      </div>
    ),
  }));
  if (items.length === 0) {
    return <time>{formats.time(job.submitted)}</time>;
  }
  return <Timeline items={items} pending={false} className="job-steps" />;
}

/** Keeps only the latest progress event of an image pull. */
function withLastPull(events: readonly JobEvent[]): JobEvent[] {
  return events.filter((event, i) => steps.has(event.type) || (event.type === "PULLING" && events[i - 1]?.type !== "PULLING"));
}

function colorOf(event: JobEvent): string {
  switch (event.type) {
    case "SUCCEEDED":
      return "green";
    case "FAILED":
      return "red";
    case "RUNNING":
      return "blue";
    default:
      return event.warning ? "orange" : "gray";
  }
}
