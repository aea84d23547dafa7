import { Tag } from "antd";
import { useTexts } from "../i18n/language";
import { historyTexts } from "./history-texts";
import type { TaskState } from "./types";

const taskColors: Record<TaskState, string> = {
  ASSIGNED: "default",
  STARTING: "processing",
  RUNNING: "processing",
  STOPPING: "warning",
  ENDED: "default",
};

export function TaskTag({ state, exitReason }: { state: TaskState; exitReason: string | null }) {
  const t = useTexts(historyTexts);
  const reasons: Readonly<Record<string, string>> = t.exit;
  const color = exitReason === null ? taskColors[state] : exitReason === "SUCCEEDED" ? "success" : exitReason === "STOPPED" ? "default" : "error";
  return <Tag color={color}>{exitReason === null ? t.task[state] : (reasons[exitReason] ?? exitReason)}</Tag>;
}
