import type { JobDocument } from "./job-document";
import { isMap, toNumber, valueAt, type Path } from "./path";
import type { Port, RoleShape, Root, Shape } from "./shape";

const SHOWN_FIELDS = new Set(["jobName", "image", "virtualCluster", "gpuType", "retryCount", "dataDir", "outputDir", "codeDir", "jobEnvs", "taskRoles"]);
const SHOWN_ROLE_FIELDS = new Set([
  "name", "taskNumber", "cpuNumber", "memoryMB", "shmMB", "gpuNumber", "portList", "command", "minFailedTaskCount", "minSucceededTaskCount",
]);
const NAME: Path = ["jobName"];
const IMAGE: Path = ["image"];

/** OpenPAI's v1 format: roles are a list and share one image. */
export const v1: Shape = {
  name: NAME,
  virtualCluster: ["virtualCluster"],
  retries: ["retryCount"],
  deviceType: ["gpuType"],
  description: null,
  directories: { data: ["dataDir"], output: ["outputDir"], code: ["codeDir"] },
  environment: ["jobEnvs"],
  parameters: null,
  secrets: null,
  leastRetries: -2,
  roles: (root) => list(root["taskRoles"]).map((role, i) => roleShape(role, i)),
  addRole: (document, like) => {
    const roles = list(document.root["taskRoles"]);
    const name = freeName(roles.map((role) => nameOf(role)), like?.name);
    const copied = like ? valueAt(document.root, like.at) : null;
    const role = isMap(copied)
      ? { ...copied, name }
      : { name, taskNumber: 1, cpuNumber: 1, memoryMB: 1024, gpuNumber: 0, command: "" };
    document.set(["taskRoles", roles.length], structuredClone(role));
  },
  removeRole: (document, role) => document.remove(role.at),
  renameRole: (document, role, name) => document.set(role.namePath, name),
  hiddenFields: (root) => [
    ...Object.keys(root).filter((key) => !SHOWN_FIELDS.has(key)),
    ...list(root["taskRoles"]).flatMap((role, i) =>
      isMap(role) ? Object.keys(role).filter((key) => !SHOWN_ROLE_FIELDS.has(key)).map((key) => `taskRoles[${i}].${key}`) : [],
    ),
  ],
};

function roleShape(role: unknown, index: number): RoleShape {
  const at: Path = ["taskRoles", index];
  return {
    at,
    name: nameOf(role),
    namePath: [...at, "name"],
    tasks: [...at, "taskNumber"],
    cpus: [...at, "cpuNumber"],
    memory: [...at, "memoryMB"],
    devices: [...at, "gpuNumber"],
    sharedMemory: [...at, "shmMB"],
    minFailed: [...at, "minFailedTaskCount"],
    minSucceeded: [...at, "minSucceededTaskCount"],
    taskRetries: null,
    ports: [...at, "portList"],
    command: [...at, "command"],
    image: IMAGE,
    imageOfAll: true,
    defaultRule: "continue",
    readCommand: (root) => text(valueAt(root, [...at, "command"])),
    writeCommand: (document, command) => document.set([...at, "command"], command),
    readPorts: (root) => list(valueAt(root, [...at, "portList"])).map(readPort),
    writePorts: (document, ports) => writePorts(document, [...at, "portList"], ports),
    readImage: (root) => text(root["image"]),
    writeImage: (document, image) => document.set(IMAGE, image),
  };
}

function readPort(port: unknown): Port {
  const table = isMap(port) ? port : {};
  return { label: text(table["label"]), count: number(table["portNumber"], 1), first: number(table["beginAt"], 0) };
}

function writePorts(document: JobDocument, at: Path, ports: readonly Port[]): void {
  if (ports.length === 0) {
    document.remove(at);
  } else {
    document.set(at, ports.map(({ label, count, first }) => ({ label, beginAt: first ?? 0, portNumber: count })));
  }
}

export function freeName(taken: readonly string[], like = "role"): string {
  const stem = like.replace(/_?\d+$/, "");
  for (let i = taken.length + 1; ; i++) {
    if (!taken.includes(`${stem}_${i}`)) {
      return `${stem}_${i}`;
    }
  }
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(role: unknown): string {
  return isMap(role) ? text(role["name"]) : "";
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function number(value: unknown, otherwise: number): number {
  return toNumber(value) ?? otherwise;
}

/** Returns the job file of an empty form. */
export function newJob(name: string, image: string): Root {
  return {
    jobName: name,
    image,
    taskRoles: [{ name: "main", taskNumber: 1, cpuNumber: 1, memoryMB: 1024, gpuNumber: 0, command: "" }],
  };
}
