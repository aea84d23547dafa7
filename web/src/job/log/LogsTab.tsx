import { useMemo } from "react";
import { Empty, InputNumber, Segmented, Select, Space } from "antd";
import { isFinished } from "../../api/types";
import { useTexts } from "../../i18n/language";
import { useViewParams } from "../use-view-params";
import { jobTexts } from "../texts";
import { taskName, taskOf, type Job, type Stream } from "../types";
import type { LogAddress } from "./log-address";
import { logTexts } from "./log-texts";
import { SingleLog } from "./SingleLog";
import { MergedLogView } from "./MergedLogView";

const ALL = "*";
const MOST_TOGETHER = 20;
const MOST_OPTIONS = 500;

/** The logs of a job; the selected log is stored in the URL. */
export function LogsTab({ job }: { job: Job }) {
  const t = useTexts(logTexts);
  const jobText = useTexts(jobTexts);
  const [params, change] = useViewParams();
  const id = `${job.user}~${job.name}`;
  const first = job.tasks[0];
  const wanted = params.get("task") ?? (first ? taskName(first) : "");
  const attempt = Number(params.get("attempt")) || undefined;
  const retry = params.get("retry") === null ? undefined : Number(params.get("retry"));
  const at = params.get("at") === null ? null : Number(params.get("at"));
  const search = params.get("find") ?? "";
  // An offset is a position in one stream, so a URL with an offset never shows both streams.
  const stream = params.get("stream") ?? (at === null ? "both" : "stdout");
  const old = (attempt !== undefined && attempt !== job.attempt) || retry !== undefined;
  const { role, index } = taskOf(wanted);
  const task = job.tasks.find((one) => one.role === role && one.index === index);
  const growing = !old && !isFinished(job.state) && job.state !== "PAUSED" && (wanted === ALL || task?.state !== "ENDED");
  const together = wanted === ALL || stream === "both";

  const key = JSON.stringify([id, wanted, stream, attempt, retry, wanted === ALL && job.tasks.slice(0, MOST_TOGETHER).map(taskName)]);
  const streams = useMemo(() => {
    const tasks = wanted === ALL ? job.tasks.slice(0, MOST_TOGETHER) : [{ role, index }];
    const names: Stream[] = stream === "both" ? ["stdout", "stderr"] : [stream === "stderr" ? "stderr" : "stdout"];
    return tasks.flatMap((one) =>
      names.map((name): { address: LogAddress; label: string } => ({
        address: { job: id, role: one.role, index: one.index, stream: name, attempt, retry },
        label: wanted === ALL ? (names.length > 1 ? `${taskName(one)} ${name}` : taskName(one)) : name,
      })),
    );
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key contains all inputs
  }, [key]);

  if (!first && !attempt) {
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.notStarted} />;
  }
  const choice = (
    <Space wrap size={8}>
      <TaskChoice job={job} chosen={wanted} choose={(name) => change({ task: name, at: null, retry: null })} />
      <Segmented
        aria-label={t.stream}
        value={stream}
        onChange={(value) => change({ stream: value, at: null })}
        options={[{ value: "both", label: t.both }, { value: "stdout", label: jobText.streams.stdout }, { value: "stderr", label: jobText.streams.stderr }]}
      />
      {job.attempt > 1 && (
        <Select
          aria-label={t.attempt}
          value={attempt ?? job.attempt}
          onChange={(value) => change({ attempt: value === job.attempt ? null : String(value), retry: null, at: null })}
          options={Array.from({ length: Math.min(job.attempt, MOST_OPTIONS) }, (_, i) => ({
            value: job.attempt - i,
            label: t.attemptNumber(job.attempt - i),
          }))}
        />
      )}
      {retry !== undefined && (
        <Select
          aria-label={t.run}
          value={retry}
          allowClear
          onChange={(value: number | undefined) => change({ retry: value === undefined ? null : String(value) })}
          options={[{ value: retry, label: t.runNumber(retry + 1) }]}
        />
      )}
    </Space>
  );
  const shared = { growing, choice, search, setSearch: (text: string) => change({ find: text || null }) };
  return together ? (
    <MergedLogView key={key} streams={streams} {...shared} />
  ) : (
    <SingleLog key={`${key} ${at}`} address={streams[0]!.address} diagnosis={old ? null : job.diagnosis} at={at} {...shared} />
  );
}

/** With many tasks, the user enters the role and index instead of choosing from a list. */
function TaskChoice({ job, chosen, choose }: { job: Job; chosen: string; choose: (name: string) => void }) {
  const t = useTexts(logTexts);
  if (job.taskCount === 1) {
    return null;
  }
  const all = { value: ALL, label: job.taskCount > MOST_TOGETHER ? t.allHint(MOST_TOGETHER) : t.all };
  if (job.taskCount <= MOST_OPTIONS) {
    const names = job.tasks.map((task) => ({ value: taskName(task), label: taskName(task) }));
    return (
      <Select
        aria-label={t.task}
        showSearch
        popupMatchSelectWidth={false}
        className="log-task"
        value={chosen}
        onChange={choose}
        options={[all, ...names]}
      />
    );
  }
  const { role, index } = taskOf(chosen);
  const roles = Object.keys(job.taskStates).map((name) => ({ value: name, label: name }));
  return (
    <Space.Compact>
      <Select
        aria-label={t.task}
        showSearch
        className="log-task"
        value={chosen === ALL ? ALL : role}
        onChange={(value) => choose(value === ALL ? ALL : `${value}-0`)}
        options={[all, ...roles]}
      />
      {chosen !== ALL && (
        <InputNumber aria-label={t.task} min={0} precision={0} value={index} onChange={(value) => choose(`${role}-${value ?? 0}`)} />
      )}
    </Space.Compact>
  );
}
