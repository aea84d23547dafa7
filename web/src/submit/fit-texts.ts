import { texts } from "../i18n/texts";

export const fitTexts = texts(
  {
    neverFits: "This job cannot run on this cluster",
    remedy: "Request fewer resources, or ask an administrator for more.",
    withoutDevices: "The command must be able to run without a GPU.",
    fit: (devices: number | null, cpus: string | null, memory: string | null) => `Change to: ${requests(devices, cpus, memory)}`,
    fitClone: (devices: number | null, cpus: string | null, memory: string | null) => `Clone with: ${requests(devices, cpus, memory)}`,
    cloneHint: "The button opens the form with a changed copy. This job stays in the queue until you stop it.",
    fitDone: "Changed; press Submit",
  },
  {
    neverFits: "该任务无法在本集群运行",
    remedy: "请减少所需资源，或联系管理员增加资源。",
    withoutDevices: "命令需要支持在没有 GPU 的情况下运行。",
    fit: (devices, cpus, memory) => `改为${chineseRequests(devices, cpus, memory)}`,
    fitClone: (devices, cpus, memory) => `克隆并改为${chineseRequests(devices, cpus, memory)}`,
    cloneHint: "点击按钮会打开表单，其中是修改后的副本。本任务会继续排队，直到您将其停止。",
    fitDone: "已修改，请点击“提交”",
  },
);

function requests(devices: number | null, cpus: string | null, memory: string | null): string {
  const gpus = devices === null ? null : devices === 0 ? "no GPU" : devices === 1 ? "1 GPU" : `${devices} GPUs`;
  return [gpus, cpus && (cpus === "1" ? "1 CPU" : `${cpus} CPUs`), memory && `${memory} memory`].filter(Boolean).join(", ");
}

function chineseRequests(devices: number | null, cpus: string | null, memory: string | null): string {
  const gpus = devices === null ? null : devices === 0 ? "不使用 GPU" : `使用 ${devices} 块 GPU`;
  const rest = [cpus && `${cpus} 个 CPU`, memory && `${memory} 内存`].filter(Boolean).join("、");
  return gpus ? [gpus, rest].filter(Boolean).join("：") : ` ${rest}`;
}
