import { Button, Card, Typography } from "antd";
import { useTexts } from "../i18n/language";
import { TaskTag } from "./TaskTag";
import { jobTexts } from "./texts";
import { taskName, type Job, type Task } from "./types";
import { useViewParams } from "./use-view-params";

const SHOWN = 5;
const SHOWN_PORTS = 6;

/** The node and devices of the first tasks, and the addresses of their ports. */
export function TaskAddresses({ job }: { job: Job }) {
  const t = useTexts(jobTexts);
  const [, change] = useViewParams();
  if (job.tasks.length === 0) {
    return null;
  }
  const all = (
    <Button type="link" size="small" onClick={() => change({ tab: "tasks" }, true)}>
      {t.allTasks(job.taskCount)}
    </Button>
  );
  return (
    <Card size="small" title={t.tabs.tasks} extra={all}>
      <ul className="job-places">
        {job.tasks.slice(0, SHOWN).map((task) => (
          <li key={taskName(task)}>
            <bdi className="job-cut" title={taskName(task)}>
              <strong>{taskName(task)}</strong>
            </bdi>{" "}
            <TaskTag state={task.state} exitReason={task.exitReason} />
            <div className="step-words wrap">
              {t.labelOf(t.node)}
              <bdi>{task.node}</bdi>
              {" · "}
              {t.labelOf(t.devices)}
              {task.devices.length > 0 ? task.devices.join(", ") : t.noDevices}
            </div>
            <Addresses task={task} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Addresses({ task }: { task: Task }) {
  const { address } = task;
  // Nothing listens at the addresses of a task that has ended.
  if (!address || task.state === "ENDED") {
    return null;
  }
  const ports = Object.entries(task.ports).flatMap(([label, numbers]) => numbers.map((port) => ({ label, port })));
  return (
    <div className="wrap">
      {ports.length === 0 && <Typography.Text copyable={{ text: address }}>{address}</Typography.Text>}
      {ports.slice(0, SHOWN_PORTS).map(({ label, port }) => (
        <span key={port} className="job-address">
          {label} <Typography.Text copyable={{ text: `${address}:${port}` }}>{`${address}:${port}`}</Typography.Text>
        </span>
      ))}
    </div>
  );
}
