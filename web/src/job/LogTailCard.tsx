import { Button, Card } from "antd";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { isFinished } from "../api/types";
import { useTexts } from "../i18n/language";
import { lastLines } from "./log/last-lines";
import { jobTexts } from "./texts";
import { taskName, type Job, type Stream } from "./types";
import { useViewParams } from "./use-view-params";

const INTERVAL = 3_000;
const STREAMS: readonly Stream[] = ["stdout", "stderr"];

/** The last lines of the log of one task: the task that caused a failure, or else the first running task, or else the first task. */
export function LogTailCard({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  const [, change] = useViewParams();
  const task = job.diagnosis ?? job.tasks.find((one) => one.state === "RUNNING") ?? job.tasks[0];
  const over = isFinished(job.state);
  const query = useQuery({
    queryKey: ["job-log-tail", id, job.attempt, task && taskName(task), over],
    queryFn: async ({ signal }) => {
      const address = { job: id, role: task!.role, index: task!.index };
      return Promise.all(STREAMS.map((stream) => lastLines({ ...address, stream }, signal)));
    },
    enabled: task !== undefined,
    refetchInterval: over ? false : INTERVAL,
    placeholderData: keepPreviousData,
  });
  if (!task || query.error) {
    return null;
  }
  const shown = STREAMS.map((stream, i) => ({ stream, lines: query.data?.[i] ?? [] })).filter(({ lines }) => lines.length > 0);
  const open = () => change({ tab: "logs", task: taskName(task), stream: null, at: null, attempt: null, retry: null }, true);
  return (
    <Card size="small" title={t.logTail(taskName(task))} extra={<Button type="link" size="small" onClick={open}>{t.fullLog}</Button>}>
      {shown.length === 0 && query.data && <p className="step-words">{over ? t.noOutput : t.noOutputYet}</p>}
      {shown.map(({ stream, lines }) => (
        <div key={stream}>
          {shown.length > 1 && <div className="step-words">{t.streams[stream]}</div>}
          <pre className="log-whole job-tail" tabIndex={0} aria-label={t.streams[stream]}>
            {lines.join("\n")}
          </pre>
        </div>
      ))}
    </Card>
  );
}
