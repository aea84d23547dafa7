import { texts } from "../i18n/texts";

export const apiTexts = texts(
  {
    unreachable: "Cannot reach the server. Check your connection and try again.",
    unexpected: "Unexpected error. Reload the page; if the error persists, contact an administrator.",
    requestId: (id: string) => `Request ID ${id}`,
    lost: "Connection to the server lost. Reconnecting…",
  },
  {
    unreachable: "无法连接服务器。请检查网络后重试。",
    unexpected: "页面出现意外错误。请刷新页面；如果仍然出现，请联系管理员。",
    requestId: (id) => `请求 ID ${id}`,
    lost: "与服务器的连接已断开，正在重新连接…",
  },
);
