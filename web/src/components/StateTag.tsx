import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  LoadingOutlined,
  MinusCircleFilled,
  PauseCircleFilled,
  PlayCircleFilled,
  SyncOutlined,
} from "@ant-design/icons";
import { memo, type ReactNode } from "react";
import type { JobState } from "../api/types";
import { useTexts } from "../i18n/language";
import { stateTexts } from "./state-texts";

const icons: Record<JobState, ReactNode> = {
  WAITING: <ClockCircleOutlined />,
  PREPARING: <LoadingOutlined />,
  RUNNING: <PlayCircleFilled />,
  STOPPING: <SyncOutlined spin />,
  PAUSED: <PauseCircleFilled />,
  SUCCEEDED: <CheckCircleFilled />,
  FAILED: <CloseCircleFilled />,
  STOPPED: <MinusCircleFilled />,
};

/** The state of a job as text, icon and color. */
export const StateTag = memo(function StateTag(props: { state: JobState }) {
  const t = useTexts(stateTexts);
  return (
    <span className={`state state-${props.state.toLowerCase()}`}>
      {icons[props.state]} {t[props.state]}
    </span>
  );
});
