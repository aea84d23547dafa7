import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  LoadingOutlined,
  MinusCircleFilled,
  PauseCircleFilled,
  PlayCircleFilled,
  SyncOutlined,
  WarningFilled,
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

/** The state of a job as text, icon and color. A waiting job that can never start has a state of its own. */
export const StateTag = memo(function StateTag(props: { state: JobState; neverFits?: boolean }) {
  const t = useTexts(stateTexts);
  if (props.neverFits && props.state === "WAITING") {
    return (
      <span className="state state-failed">
        <WarningFilled /> {t.UNSCHEDULABLE}
      </span>
    );
  }
  return (
    <span className={`state state-${props.state.toLowerCase()}`}>
      {icons[props.state]} {t[props.state]}
    </span>
  );
});
