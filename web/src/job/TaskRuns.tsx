import { Button, Spin, Table } from "antd";
import { ErrorAlert } from "../api/ErrorAlert";
import { usePaging } from "../app/paging";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { TaskTag } from "./TaskTag";
import { jobTexts } from "./texts";
import { taskName, type Task } from "./types";
import { useViewParams } from "./use-view-params";
import { useRuns } from "./use-job";

/** All runs of a task that was retried individually. */
export function TaskRuns({ id, task }: { id: string; task: Task }) {
  const t = useTexts(jobTexts);
  const paging = usePaging();
  const formats = useFormats();
  const [, change] = useViewParams();
  const query = useRuns(id, task);
  if (query.error) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <Spin />;
  }
  const open = (run: Task) =>
    change({ tab: "logs", task: taskName(run), attempt: String(run.attempt), retry: String(run.retry), stream: null, at: null }, true);
  const time = (value: number | null) => (value === null ? "–" : formats.time(value));
  return (
    <Table<Task>
      size="small"
      rowKey="retry"
      dataSource={query.data.runs}
      pagination={{ ...paging, pageSize: 20, showSizeChanger: false }}
      columns={[
        { title: t.run, key: "run", render: (_, run) => run.retry + 1 },
        { title: t.state, key: "state", render: (_, run) => <TaskTag state={run.state} exitReason={run.exitReason} /> },
        { title: t.exitCode, key: "exit", render: (_, run) => run.exitCode ?? "–" },
        { title: t.address, key: "address", render: (_, run) => run.address ?? "–" },
        { title: t.started, key: "started", render: (_, run) => time(run.started) },
        { title: t.ended, key: "ended", render: (_, run) => time(run.ended) },
        {
          title: t.actions,
          key: "logs",
          render: (_, run) => (
            <Button size="small" type="link" onClick={() => open(run)}>
              {t.tabs.logs}
            </Button>
          ),
        },
      ]}
    />
  );
}
