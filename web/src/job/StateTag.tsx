import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  CloudDownloadOutlined,
  MinusCircleOutlined,
  PauseCircleOutlined,
  StopOutlined,
  SyncOutlined,
} from "@ant-design/icons";
import { Tag } from "antd";
import type { JobState } from "../api/types";
import { useTexts } from "../i18n/language";
import type { TaskState } from "./types";
import { stateTexts } from "./state-texts";

const looks: Record<JobState, { color: string; icon: React.ReactNode }> = {
  WAITING: { color: "default", icon: <ClockCircleOutlined /> },
  PREPARING: { color: "processing", icon: <CloudDownloadOutlined /> },
  RUNNING: { color: "processing", icon: <SyncOutlined /> },
  STOPPING: { color: "warning", icon: <StopOutlined /> },
  PAUSED: { color: "warning", icon: <PauseCircleOutlined /> },
  SUCCEEDED: { color: "success", icon: <CheckCircleOutlined /> },
  FAILED: { color: "error", icon: <CloseCircleOutlined /> },
  STOPPED: { color: "default", icon: <MinusCircleOutlined /> },
};

/** A state by word, colour and sign: never by colour alone. */
export function StateTag({ state }: { state: JobState }) {
  const t = useTexts(stateTexts);
  const { color, icon } = looks[state];
  return (
    <Tag color={color} icon={icon} className="state-tag">
      {t.job[state]}
    </Tag>
  );
}

const taskColors: Record<TaskState, string> = {
  ASSIGNED: "default",
  STARTING: "processing",
  RUNNING: "processing",
  STOPPING: "warning",
  ENDED: "default",
};

export function TaskTag({ state, exitReason }: { state: TaskState; exitReason: string | null }) {
  const t = useTexts(stateTexts);
  const reasons: Readonly<Record<string, string>> = t.exit;
  const color = exitReason === null ? taskColors[state] : exitReason === "SUCCEEDED" ? "success" : exitReason === "STOPPED" ? "default" : "error";
  return <Tag color={color}>{exitReason === null ? t.task[state] : (reasons[exitReason] ?? exitReason)}</Tag>;
}
