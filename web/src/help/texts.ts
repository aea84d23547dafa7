import { texts } from "../i18n/texts";

export const helpTexts = texts(
  {
    title: "Help",
  },
  {
    title: "帮助",
  },
);
