import { texts } from "../i18n/texts";

export const adminTexts = texts(
  {
    title: "Administration",
  },
  {
    title: "系统管理",
  },
);
