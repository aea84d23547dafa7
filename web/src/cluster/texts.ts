import { texts } from "../i18n/texts";

export const clusterTexts = texts(
  {
    title: "Cluster",
  },
  {
    title: "集群",
  },
);
