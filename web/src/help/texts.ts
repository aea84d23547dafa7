import { texts } from "../i18n/texts";

export const helpTexts = texts(
  {
    title: "Help",
    contents: "Contents",
    topics: {
      start: "First steps",
      "job-file": "Job files",
      images: "Build your own image",
      data: "Bring your own data",
      environment: "What a task sees",
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
      environment: "任务的运行环境",
    },
    api: "API 文档",
  },
);
