import { Fragment, useState } from "react";
import { Button, Empty, Space, Table, Tag, Typography } from "antd";
import { ErrorAlert } from "../api/ErrorAlert";
import { mayChange } from "../api/types";
import { usePaging } from "../app/paging";
import { useMe } from "../app/session";
import { useIsNarrow } from "../app/width";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { TaskTag } from "./TaskTag";
import { TaskRuns } from "./TaskRuns";
import { historyTexts } from "./history-texts";
import { jobTexts } from "./texts";
import { taskName, type Job, type Task, type TaskState } from "./types";
import { useViewParams } from "./use-view-params";
import { useTasks } from "./use-job";
import { visible } from "./log/line-text";

const SIZE = 50;

export function TasksTab({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  return job.attempt === 0 ? (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.noTasks} />
  ) : (
    <>
      <Roles job={job} />
      <TaskTable id={id} attempt={job.attempt} total={job.taskCount} />
    </>
  );
}

/** The number of tasks by role and state. */
function Roles({ job }: { job: Job }) {
  const names = useTexts(historyTexts);
  const formats = useFormats();
  const roles = Object.entries(job.taskStates);
  if (job.taskCount === 1) {
    return null;
  }
  return (
    <div className="job-roles">
      {roles.slice(0, 50).map(([role, states]) => (
        <span key={role} className="job-role">
          <bdi className="job-cut" title={role}>
            {role}
          </bdi>
          {Object.entries(states).map(([state, count]) => (
            <Tag key={state}>
              {names.task[state as TaskState]} {formats.number(count)}
            </Tag>
          ))}
        </span>
      ))}
    </div>
  );
}

/** The tasks of an attempt, one page at a time. */
export function TaskTable({ id, attempt, total, old }: { id: string; attempt: number; total: number; old?: boolean }) {
  const t = useTexts(jobTexts);
  const paging = usePaging();
  const formats = useFormats();
  const narrow = useIsNarrow();
  const [params, change] = useViewParams();
  const mine = mayChange(useMe(), { user: id.slice(0, id.indexOf("~")) });
  // The URL contains the page of the current attempt only.
  const [oldPage, setOldPage] = useState(1);
  const page = old ? oldPage : Math.max(1, Number(params.get("page")) || 1);
  const query = useTasks(id, attempt, page, SIZE);
  if (query.error && !query.data) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  const openLog = (task: Task) =>
    change({ tab: "logs", task: taskName(task), stream: null, at: null, attempt: old ? String(attempt) : null, retry: null }, true);
  const columns = [
    {
      title: t.task,
      key: "task",
      fixed: "left" as const,
      render: (_: unknown, task: Task) => (
        <bdi className="job-cut" title={taskName(task)}>
          {taskName(task)}
        </bdi>
      ),
    },
    { title: t.state, key: "state", render: (_: unknown, task: Task) => <TaskTag state={task.state} exitReason={task.exitReason} /> },
    {
      title: t.address,
      key: "address",
      render: (_: unknown, task: Task) => (task.address ? <Typography.Text copyable={{ text: task.address }}>{task.address}</Typography.Text> : "–"),
    },
    { title: t.ports, key: "ports", render: (_: unknown, task: Task) => <Ports ports={task.ports} /> },
    { title: t.node, dataIndex: "node", key: "node", render: (node: string) => <bdi className="job-cut" title={node}>{node}</bdi> },
    { title: t.devices, key: "devices", render: (_: unknown, task: Task) => (task.devices.length > 0 ? task.devices.join(", ") : "–") },
    { title: t.exitCode, key: "exit", render: (_: unknown, task: Task) => <Exit task={task} /> },
    { title: t.started, key: "started", render: (_: unknown, task: Task) => (task.started === null ? "–" : formats.time(task.started)) },
    {
      title: t.duration,
      key: "duration",
      render: (_: unknown, task: Task) =>
        task.started === null ? "–" : formats.duration((task.ended ?? Date.now()) - task.started),
    },
    {
      title: t.actions,
      key: "actions",
      ...(narrow ? {} : { fixed: "right" as const }),
      render: (_: unknown, task: Task) => (
        <Space size={4}>
          <Button size="small" type="link" onClick={() => openLog(task)}>
            {t.tabs.logs}
          </Button>
          {task.state === "RUNNING" && mine && (
            <Button size="small" type="link" onClick={() => change({ tab: "terminal", task: taskName(task) }, true)}>
              {t.tabs.terminal}
            </Button>
          )}
        </Space>
      ),
    },
  ];
  return (
    <Table<Task>
      size="small"
      rowKey={taskName}
      columns={columns}
      dataSource={query.data?.tasks ?? []}
      loading={query.isFetching && query.isPlaceholderData ? true : query.isLoading}
      scroll={{ x: "max-content" }}
      expandable={{
        rowExpandable: (task) => task.retry > 0,
        expandedRowRender: (task) => <TaskRuns id={id} task={task} />,
      }}
      pagination={{
        ...paging,
        current: page,
        pageSize: SIZE,
        total,
        showSizeChanger: false,
        onChange: (next) => (old ? setOldPage(next) : change({ page: next === 1 ? null : String(next) })),
      }}
    />
  );
}

function Exit({ task }: { task: Task }) {
  if (task.exitCode === null && !task.detail) {
    return "–";
  }
  return (
    <>
      {task.exitCode ?? "–"}
      {task.detail && <div className="step-words wrap">{visible(task.detail)}</div>}
    </>
  );
}

function Ports({ ports }: { ports: Task["ports"] }) {
  const all = Object.entries(ports);
  if (all.length === 0) {
    return "–";
  }
  return all.map(([label, numbers], i) => (
    <Fragment key={label}>
      {i > 0 && ", "}
      <span className="nowrap">
        {label}: {numbers.length > 4 ? `${numbers.slice(0, 4).join(" ")} …` : numbers.join(" ")}
      </span>
    </Fragment>
  ));
}
