import { lazy, Suspense, useState } from "react";
import { PlusOutlined } from "@ant-design/icons";
import { Alert, Button, Empty, Select, Space, Spin, Tabs } from "antd";
import { useTexts } from "../../i18n/language";
import { taskName, type Job } from "../types";
import { useAddress } from "../use-address";
import { terminalTexts } from "./terminal-texts";

const TerminalPane = lazy(() => import("./TerminalPane"));

interface Open {
  readonly key: string;
  readonly role: string;
  readonly index: number;
}

/** Terminals in the job's tasks, as many as one opens. */
export default function TerminalsTab({ job, id, shown }: { job: Job; id: string; shown: boolean }) {
  const t = useTexts(terminalTexts);
  const [params, change] = useAddress();
  const running = job.tasks.filter((task) => task.state === "RUNNING");
  const wanted = running.find((task) => taskName(task) === params.get("task")) ?? running[0];
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
      {running.length > 1 && (
        <Select
          showSearch
          className="log-task"
          popupMatchSelectWidth={false}
          aria-label={t.task}
          value={wanted && taskName(wanted)}
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
        {wanted && choice}
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
