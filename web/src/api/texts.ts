import { texts } from "../i18n/texts";

export const apiTexts = texts(
  {
    notReached: "The server can't be reached. Check your connection and try again.",
    unexpected: "Something went wrong on this page. Load it again; if it stays, tell an administrator.",
    requestId: (id: string) => `Request ${id}`,
    lost: "The connection to the server is lost. This page tries again by itself.",
  },
  {
    notReached: "无法连接服务器。请检查网络后重试。",
    unexpected: "页面出现意外错误。请刷新页面；如果仍然出现，请联系管理员。",
    requestId: (id) => `请求编号 ${id}`,
    lost: "与服务器的连接已断开，页面会自动重新连接。",
  },
);
