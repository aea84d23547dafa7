import { lazy, Suspense, useState } from "react";
import { PlusOutlined } from "@ant-design/icons";
import { Alert, Button, Empty, Select, Space, Spin, Tabs } from "antd";
import { useTexts } from "../../i18n/language";
import { taskName, taskOf, type Job } from "../types";
import { useViewParams } from "../use-view-params";
import { terminalTexts } from "./terminal-texts";

const TerminalPane = lazy(() => import("./TerminalPane"));

interface Open {
  readonly key: string;
  readonly role: string;
  readonly index: number;
}

/** Terminals in the job's tasks; users can open several. */
export default function TerminalsTab({ job, id, shown }: { job: Job; id: string; shown: boolean }) {
  const t = useTexts(terminalTexts);
  const [params, change] = useViewParams();
  const running = job.tasks.filter((task) => task.state === "RUNNING");
  const wanted = wantedTask(job, params.get("task"));
  const [opened, setOpened] = useState<readonly Open[]>([]);
  const [active, setActive] = useState("");
  const [count, setCount] = useState(1);
  const open = () => {
    if (wanted) {
      const key = `${taskName(wanted)} (${count})`;
      setOpened([...opened, { key, role: wanted.role, index: wanted.index }]);
      setActive(key);
      setCount(count + 1);
    }
  };
  const close = (key: string) => {
    const left = opened.filter((one) => one.key !== key);
    setOpened(left);
    if (active === key) setActive(left.at(-1)?.key ?? "");
  };
  const choice = (
    <Space wrap>
      {(running.length > 1 || (!wanted && running.length > 0)) && (
        <Select
          showSearch
          className="log-task"
          popupMatchSelectWidth={false}
          aria-label={t.task}
          value={wanted && taskName(wanted)}
          placeholder={t.task}
          onChange={(name) => change({ task: name })}
          options={running.map((task) => ({ value: taskName(task), label: taskName(task) }))}
        />
      )}
      <Button type="primary" icon={<PlusOutlined />} disabled={!wanted} onClick={open}>
        {t.open}
      </Button>
    </Space>
  );
  if (opened.length === 0) {
    return (
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={wanted ? t.hint : t.notRunning}>
        {(wanted ?? running[0]) && choice}
      </Empty>
    );
  }
  return (
    <>
      <div className="log-bar">{choice}</div>
      {!wanted && <Alert type="info" banner showIcon message={t.notRunning} />}
      <Tabs
        type="editable-card"
        hideAdd
        size="small"
        activeKey={active}
        onChange={setActive}
        onEdit={(key, action) => action === "remove" && close(String(key))}
        items={opened.map((one) => ({
          key: one.key,
          label: one.key,
          forceRender: true,
          children: (
            <Suspense fallback={<Spin />}>
              <TerminalPane job={id} task={one} shown={shown && active === one.key} label={t.label(one.key)} />
            </Suspense>
          ),
        }))}
      />
    </>
  );
}

/** Returns the task that the URL names if it is running. If the URL names no task, returns the first running task. */
function wantedTask(job: Job, name: string | null): { readonly role: string; readonly index: number } | undefined {
  // The logs tab uses "*" for all tasks.
  if (name === null || name === "*") {
    return job.tasks.find((task) => task.state === "RUNNING");
  }
  const { role, index } = taskOf(name);
  const listed = job.tasks.find((task) => task.role === role && task.index === index);
  if (listed) {
    return listed.state === "RUNNING" ? listed : undefined;
  }
  // Only the first tasks of a large job are loaded; the server checks whether this task is running.
  const running = job.tasksNext === undefined ? 0 : (job.taskStates[role]?.RUNNING ?? 0);
  return running > 0 ? { role, index } : undefined;
}
