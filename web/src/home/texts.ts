import { texts } from "../i18n/texts";

export const homeTexts = texts(
  {
    title: "Home",
  },
  {
    title: "首页",
  },
);
