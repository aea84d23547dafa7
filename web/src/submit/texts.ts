import { texts } from "../i18n/texts";

export const submitTexts = texts(
  {
    title: "Submit Job",
  },
  {
    title: "提交任务",
  },
);
