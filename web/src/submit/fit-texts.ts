import { texts } from "../i18n/texts";

export const fitTexts = texts(
  {
    neverFits: "This job cannot run on this cluster",
    remedy: "Request fewer resources, or ask an administrator for more.",
    withoutDevices: "The command must be able to run without a GPU.",
    fit: (devices: number | null, cpus: string | null, memory: string | null) => {
      const gpus = devices === null ? null : devices === 0 ? "without a GPU" : `with ${devices} ${devices === 1 ? "GPU" : "GPUs"}`;
      const rest = [cpus && `${cpus} ${cpus === "1" ? "CPU" : "CPUs"}`, memory && `${memory} of memory`].filter(Boolean).join(" and ");
      return `Run ${[gpus, rest && `with ${rest}`].filter(Boolean).join(", ")}`;
    },
  },
  {
    neverFits: "该任务无法在本集群运行",
    remedy: "请减少所需资源，或联系管理员增加资源。",
    withoutDevices: "命令需要支持在没有 GPU 的情况下运行。",
    fit: (devices, cpus, memory) => {
      const gpus = devices === null ? null : devices === 0 ? "不使用 GPU" : `使用 ${devices} 块 GPU`;
      const rest = [cpus && `CPU ${cpus}`, memory && `内存 ${memory}`].filter(Boolean).join("、");
      return `${[gpus, rest && `使用 ${rest}`].filter(Boolean).join("，")} 运行`;
    },
  },
);
