import { texts } from "../i18n/texts";

export const accountTexts = texts(
  {
    title: "Account",
  },
  {
    title: "账户",
  },
);
