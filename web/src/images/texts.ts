import { texts } from "../i18n/texts";

export const imageTexts = texts(
  {
    title: "Images",
  },
  {
    title: "镜像",
  },
);
