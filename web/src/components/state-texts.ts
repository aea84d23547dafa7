import { texts } from "../i18n/texts";

/** The states of jobs, with the same names as on the command line. */
export const stateTexts = texts(
  {
    WAITING: "Waiting",
    PREPARING: "Preparing",
    RUNNING: "Running",
    STOPPING: "Stopping",
    PAUSED: "Paused",
    SUCCEEDED: "Succeeded",
    FAILED: "Failed",
    STOPPED: "Stopped",
    UNSCHEDULABLE: "Unschedulable",
  },
  {
    WAITING: "排队中",
    PREPARING: "准备中",
    RUNNING: "运行中",
    STOPPING: "停止中",
    PAUSED: "已暂停",
    SUCCEEDED: "成功",
    FAILED: "失败",
    STOPPED: "已停止",
    UNSCHEDULABLE: "无法调度",
  },
);
