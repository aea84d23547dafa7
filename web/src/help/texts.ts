import { texts } from "../i18n/texts";

export const helpTexts = texts(
  {
    title: "Help",
    contents: "Contents",
    topics: {
      start: "Getting started",
      "job-file": "Job files",
      images: "Building images",
      data: "Using your own data",
      environment: "Task environment",
    },
    api: "API reference",
  },
  {
    title: "帮助",
    contents: "目录",
    topics: {
      start: "快速上手",
      "job-file": "任务文件参考",
      images: "制作自己的镜像",
      data: "使用自己的数据",
      environment: "实例的运行环境",
    },
    api: "API 文档",
  },
);
