import type { JobDocument } from "./job-document";
import { isMap, isTable, valueAt, type Path } from "./path";
import type { Port, RoleShape, Root, Shape } from "./shape";
import { freeName, list } from "./v1";

const SHOWN_FIELDS = new Set([
  "protocolVersion", "name", "type", "version", "contributor", "description", "prerequisites", "parameters", "secrets", "jobRetryCount", "taskRoles", "defaults", "extras",
]);
const SHOWN_ROLE_FIELDS = new Set(["instances", "completion", "taskRetryCount", "dockerImage", "resourcePerInstance", "extraContainerOptions", "commands"]);

/** OpenPAI's v2 format: roles have names, and images are prerequisites. */
export const v2: Shape = {
  name: ["name"],
  virtualCluster: ["defaults", "virtualCluster"],
  retries: ["jobRetryCount"],
  deviceType: ["extras", "trainyard", "gpuType"],
  description: ["description"],
  directories: null,
  environment: null,
  parameters: ["parameters"],
  secrets: ["secrets"],
  leastRetries: 0,
  roles: (root) => Object.keys(table(root["taskRoles"])).map((name) => roleShape(root, name)),
  addRole: (document, like) => {
    const names = Object.keys(table(document.root["taskRoles"]));
    const copied = like ? valueAt(document.root, like.at) : null;
    const role = copied ?? {
      instances: 1,
      dockerImage: list(document.root["prerequisites"]).filter(isImage).map((one) => String(one["name"]))[0] ?? "",
      resourcePerInstance: { cpu: 1, memoryMB: 1024, gpu: 0 },
      commands: [""],
    };
    document.set(["taskRoles", freeName(names, like?.name)], structuredClone(role));
  },
  removeRole: (document, role) => document.remove(role.at),
  renameRole: (document, role, name) => document.rename(role.at, name),
  hiddenFields,
};

function roleShape(root: Root, name: string): RoleShape {
  const at: Path = ["taskRoles", name];
  return {
    at,
    name,
    namePath: at,
    tasks: [...at, "instances"],
    cpus: [...at, "resourcePerInstance", "cpu"],
    memory: [...at, "resourcePerInstance", "memoryMB"],
    devices: [...at, "resourcePerInstance", "gpu"],
    sharedMemory: [...at, "extraContainerOptions", "shmMB"],
    minFailed: [...at, "completion", "minFailedInstances"],
    minSucceeded: [...at, "completion", "minSucceededInstances"],
    taskRetries: [...at, "taskRetryCount"],
    ports: [...at, "resourcePerInstance", "ports"],
    command: [...at, "commands"],
    image: imagePath(root, name) ?? [...at, "dockerImage"],
    imageOfAll: false,
    defaultRule: "stop",
    readCommand: (now) => list(valueAt(now, [...at, "commands"])).map(String).join("\n"),
    writeCommand: (document, command) => document.set([...at, "commands"], [command]),
    readPorts: (now) =>
      Object.entries(table(valueAt(now, [...at, "resourcePerInstance", "ports"]))).map(([label, count]) => ({
        label,
        count: typeof count === "number" ? count : 1,
        first: null,
      })),
    writePorts: (document, ports) => writePorts(document, [...at, "resourcePerInstance", "ports"], ports),
    readImage: (now) => {
      const found = imagePath(now, name);
      return found ? String(valueAt(now, found) ?? "") : "";
    },
    writeImage: (document, image) => writeImage(document, name, image),
  };
}

/** Returns the path of the URI of the image that a role names. */
function imagePath(root: Root, role: string): Path | null {
  const wanted = valueAt(root, ["taskRoles", role, "dockerImage"]);
  const index = list(root["prerequisites"]).findIndex((one) => isImage(one) && one["name"] === wanted);
  return index < 0 ? null : ["prerequisites", index, "uri"];
}

/** Changes the image of one role; a prerequisite that other roles also use is not modified. */
function writeImage(document: JobDocument, role: string, image: string): void {
  const at = imagePath(document.root, role);
  const named = valueAt(document.root, ["taskRoles", role, "dockerImage"]);
  const roles = Object.values(table(document.root["taskRoles"]));
  const users = roles.filter((one) => isTable(one) && one["dockerImage"] === named).length;
  if (at && users <= 1) {
    document.set(at, image);
    return;
  }
  const prerequisites = list(document.root["prerequisites"]);
  const names = prerequisites.map((one) => (isTable(one) ? String(one["name"]) : ""));
  const name = names.includes(`image_${role}`) ? freeName(names, `image_${role}`) : `image_${role}`;
  document.set(["prerequisites", prerequisites.length], { name, type: "dockerimage", uri: image });
  document.set(["taskRoles", role, "dockerImage"], name);
}

function writePorts(document: JobDocument, at: Path, ports: readonly Port[]): void {
  if (ports.length === 0) {
    document.remove(at);
  } else {
    document.set(at, Object.fromEntries(ports.map(({ label, count }) => [label, count])));
  }
}

function hiddenFields(root: Root): readonly string[] {
  const parts = Object.keys(root).filter((key) => !SHOWN_FIELDS.has(key));
  list(root["prerequisites"]).forEach((one, i) => {
    if (!isImage(one) || "auth" in one) {
      parts.push(`prerequisites[${i}]`);
    }
  });
  for (const [name, role] of Object.entries(table(root["taskRoles"]))) {
    parts.push(...Object.keys(table(role)).filter((key) => !SHOWN_ROLE_FIELDS.has(key)).map((key) => `taskRoles.${name}.${key}`));
    const options = Object.keys(table(table(role)["extraContainerOptions"])).filter((key) => key !== "shmMB");
    parts.push(...options.map((key) => `taskRoles.${name}.extraContainerOptions.${key}`));
  }
  parts.push(...Object.keys(table(root["defaults"])).filter((key) => key !== "virtualCluster").map((key) => `defaults.${key}`));
  parts.push(...Object.keys(table(root["extras"])).filter((key) => key !== "trainyard" && key !== "submitFrom").map((key) => `extras.${key}`));
  return parts;
}

function isImage(one: unknown): one is Record<string, unknown> {
  return isMap(one) && one["type"] === "dockerimage";
}

function table(value: unknown): Record<string, unknown> {
  return isMap(value) ? value : {};
}
