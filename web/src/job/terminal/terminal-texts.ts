import { texts } from "../../i18n/texts";

export const terminalTexts = texts(
  {
    task: "Task",
    open: "Open a terminal",
    label: (name: string) => `Terminal in ${name}`,
    hint: "A shell beside the task's own command, with its rights, files and variables.",
    notRunning: "A terminal can be opened while a task runs.",
    ended: (code: number) => `The shell has ended with exit code ${code}`,
    refused: "The terminal could not be opened: the task does not run, too many are open, or the server can't be reached",
    lost: "The connection is lost, and with it what ran in this terminal",
    signedOut: "You are no longer signed in",
    again: "Press Enter for a new shell",
  },
  {
    task: "任务实例",
    open: "打开终端",
    label: (name) => `${name} 的终端`,
    hint: "在实例的命令旁打开一个 Shell，拥有相同的权限、文件和环境变量。",
    notRunning: "实例运行时才能打开终端。",
    ended: (code) => `Shell 已结束，退出码 ${code}`,
    refused: "无法打开终端：实例未运行、打开的终端过多，或无法连接服务器",
    lost: "连接已断开，终端中运行的命令也随之结束",
    signedOut: "登录已失效",
    again: "按回车键打开新的 Shell",
  },
);
