import { variablesOf, wordOf } from "./convert-script";
import { written, type JobDocument, type Syntax } from "./job-document";
import { isMap, valueAt, type Path } from "./path";
import { openJson } from "./json-document";
import { numberAt, put, shapeOf, textAt, type Root, type Shape } from "./shape";

/** The second format has no number for "always". */
const MOST_RETRIES = 2_147_483_647;
/** What a task has of which the first format says nothing. */
const V1_MEMORY = 100;
const V1_SHARED_MEMORY = 64;

/**
 * The same job in OpenPAI's second format, for those who want secrets, or an image for each role; as
 * `trainyard convert` does it, but also of a file that is not finished. What has no place there is
 * told by {@link lossesOf}.
 */
export function toV2(root: Root, syntax: Syntax): string {
  const from = shapeOf(root);
  const opened = openJson(JSON.stringify(skeleton(root, from)));
  if (!("document" in opened)) {
    throw new Error("what was made can be read");
  }
  const to = shapeOf(opened.document.root);
  carry(root, from, opened.document, to);
  return written(opened.document.root, syntax);
}

function skeleton(root: Root, from: Shape): Root {
  const roles = from.roles(root);
  const names = new Set<string>();
  return {
    protocolVersion: 2,
    name: textAt(root, from.name).replace(/[^A-Za-z0-9_-]/g, "-"),
    type: "job",
    prerequisites: [{ name: "image", type: "dockerimage", uri: roles[0]?.readImage(root) ?? "" }],
    taskRoles: Object.fromEntries(
      roles.map((role) => [
        wordOf(role.name, names),
        { instances: 1, dockerImage: "image", resourcePerInstance: { cpu: 1, memoryMB: V1_MEMORY, gpu: 0 }, extraContainerOptions: { shmMB: V1_SHARED_MEMORY }, commands: [""] },
      ]),
    ),
    // Both formats have it, so whatever is in it stays.
    ...(isMap(root["extras"]) ? { extras: root["extras"] } : {}),
  };
}

function carry(root: Root, from: Shape, document: JobDocument, to: Shape): void {
  const number = (source: Path, target: Path) => {
    const value = numberAt(root, source);
    if (value !== null) {
      put(document, target, value);
    }
  };
  // Null is no rule; what is absent is what it would be in the first format.
  const least = (source: Path, target: Path, absent: number) => {
    const value = valueAt(root, source);
    put(document, target, value === undefined ? absent : (numberAt(root, source) ?? -1));
  };
  put(document, to.virtualCluster, textAt(root, from.virtualCluster));
  const deviceType = textAt(root, from.deviceType);
  if (deviceType !== "") {
    put(document, to.deviceType, deviceType);
  }
  const retries = numberAt(root, from.retries);
  put(document, to.retries, retries !== null && retries < 0 ? MOST_RETRIES : retries);
  const targets = to.roles(document.root);
  const before = variablesOf(root, from);
  from.roles(root).forEach((role, i) => {
    const target = targets[i];
    if (!target) {
      return;
    }
    number(role.tasks, target.tasks);
    number(role.cpus, target.cpus);
    number(role.memory, target.memory);
    number(role.devices, target.devices);
    number(role.sharedMemory, target.sharedMemory);
    least(role.minFailed, target.minFailed, 1);
    least(role.minSucceeded, target.minSucceeded, -1);
    target.writeCommand(document, before + role.readCommand(root));
    const ports = role.readPorts(root);
    if (ports.length > 0) {
      const labels = new Set<string>();
      target.writePorts(document, ports.map((port) => ({ ...port, label: wordOf(port.label, labels) })));
    }
  });
}

/** What is not the same afterwards. */
export interface Losses {
  /** Places of fields that have no place in the second format. */
  readonly dropped: readonly string[];
  readonly renamed: readonly (readonly [string, string])[];
  /** Labels of ports that were to be certain ones. */
  readonly anyPort: readonly string[];
  /** Whether it was to begin again after success too. */
  readonly always: boolean;
  /** Whether its output was saved at the end. */
  readonly output: boolean;
  /** Roles whose command contains what begins a template there. */
  readonly template: readonly string[];
}

/** Null if nothing is lost. */
export function lossesOf(root: Root): Losses | null {
  const from = shapeOf(root);
  const roles = from.roles(root);
  const ports = roles.flatMap((role) => role.readPorts(root));
  const environment = from.environment ? valueAt(root, from.environment) : null;
  const name = textAt(root, from.name);
  const taken = new Set<string>();
  // Values of variables become part of every command.
  const before = variablesOf(root, from);
  const losses: Losses = {
    dropped: [
      ...from.unseen(root).filter((place) => !(place === "extras" && isMap(root["extras"]))),
      ...(isMap(environment) ? Object.keys(environment).filter((key) => !/^[A-Za-z_]\w*$/.test(key)) : []),
    ],
    renamed: [
      [name, name.replace(/[^A-Za-z0-9_-]/g, "-")] as const,
      ...roles.map((role) => [role.name, wordOf(role.name, taken)] as const),
      ...roles.flatMap((role) => {
        const labels = new Set<string>();
        return role.readPorts(root).map(({ label }) => [label, wordOf(label, labels)] as const);
      }),
    ].filter(([old, now]) => old !== now && old !== ""),
    anyPort: ports.filter(({ first }) => first !== null && first > 0).map(({ label }) => label),
    always: numberAt(root, from.retries) === -2,
    output: from.directories !== null && textAt(root, from.directories.output) !== "",
    template: roles.filter((role) => (before + role.readCommand(root)).includes("<%")).map((role) => role.name),
  };
  const any = losses.always || losses.output || [losses.dropped, losses.renamed, losses.anyPort, losses.template].some((one) => one.length > 0);
  return any ? losses : null;
}
