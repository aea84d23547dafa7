import { texts } from "../i18n/texts";

export const jobTexts = texts(
  {
    title: "Job",
  },
  {
    title: "任务",
  },
);
