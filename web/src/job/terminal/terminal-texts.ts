import { texts } from "../../i18n/texts";

export const terminalTexts = texts(
  {
    task: "Task",
    open: "Open terminal",
    label: (name: string) => `Terminal in ${name}`,
    hint: "A shell in the task, with the permissions, files and environment variables of the task's command.",
    notRunning: "You can open a terminal while a task is running.",
    ended: (code: number) => `Shell exited with code ${code}`,
    refused: "Failed to open the terminal: the task is not running, too many terminals are open, or the server cannot be reached",
    lost: "Connection lost; the commands in this terminal have ended",
    signedOut: "You are no longer signed in",
    again: "Press Enter to start a new shell",
  },
  {
    task: "实例",
    open: "打开终端",
    label: (name) => `${name} 的终端`,
    hint: "在实例中打开 Shell，权限、文件和环境变量与实例的命令相同。",
    notRunning: "仅可在实例运行时打开终端。",
    ended: (code) => `Shell 已结束，退出码 ${code}`,
    refused: "无法打开终端：实例未运行、打开的终端过多，或无法连接服务器",
    lost: "连接已断开，终端中的命令已结束",
    signedOut: "登录已失效",
    again: "按回车键启动新的 Shell",
  },
);
