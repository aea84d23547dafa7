import { texts } from "../i18n/texts";

export const jobsTexts = texts(
  {
    title: "Jobs",
  },
  {
    title: "任务",
  },
);
