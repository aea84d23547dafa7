import { exportLines, outputUri, uniqueV2Name } from "./convert-script";
import { ruleOf, withRule } from "./failure-rule";
import { written, type JobDocument, type Syntax } from "./job-document";
import { isMap, valueAt, type Path } from "./path";
import { openJson } from "./json-document";
import { numberAt, put, shapeOf, textAt, type Root, type Shape } from "./shape";

/** Replaces an unlimited number of retries, for which v2 has no value. */
const MOST_RETRIES = 2_147_483_647;
/** Defaults of v1. */
const V1_MEMORY = 100;
const V1_SHARED_MEMORY = 64;

/**
 * Converts a job to OpenPAI's v2 format, which supports secrets and one image per role. Works like
 * `trainyard convert`, but also accepts an incomplete file. {@link lossesOf} returns what v2 cannot
 * express.
 */
export function toV2(root: Root, syntax: Syntax): string {
  const from = shapeOf(root);
  const opened = openJson(JSON.stringify(skeleton(root, from)));
  if (!("document" in opened)) {
    throw new Error("failed to parse the converted job file");
  }
  const to = shapeOf(opened.document.root);
  carry(root, from, opened.document, to);
  return written(opened.document.root, syntax);
}

function skeleton(root: Root, from: Shape): Root {
  const roles = from.roles(root);
  const names = new Set<string>();
  const output = outputUri(root, from);
  return {
    protocolVersion: 2,
    name: textAt(root, from.name).replace(/[^A-Za-z0-9_-]/g, "-"),
    type: "job",
    prerequisites: [
      { name: "image", type: "dockerimage", uri: roles[0]?.readImage(root) ?? "" },
      ...(output === null ? [] : [{ name: "output", type: "output", uri: output }]),
    ],
    taskRoles: Object.fromEntries(
      roles.map((role) => [
        uniqueV2Name(role.name, names),
        { instances: 1, dockerImage: "image", ...(output === null ? {} : { output: "output" }), resourcePerInstance: { cpu: 1, memoryMB: V1_MEMORY, gpu: 0 }, extraContainerOptions: { shmMB: V1_SHARED_MEMORY }, commands: [""] },
      ]),
    ),
    // Copied unchanged because both formats have this field.
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
  // Null disables the condition; if the field is absent, the default of v1 applies.
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
  const before = exportLines(root, from);
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
    const command = role.readCommand(root);
    const rule = ruleOf(command, role.defaultRule);
    const plain = withRule(command, role.defaultRule, role.defaultRule);
    target.writeCommand(document, withRule(before + plain, rule, target.defaultRule));
    const ports = role.readPorts(root);
    if (ports.length > 0) {
      const labels = new Set<string>();
      target.writePorts(document, ports.map((port) => ({ ...port, label: uniqueV2Name(port.label, labels) })));
    }
  });
}

/** Differences between a job and its conversion to v2. */
export interface Losses {
  /** Paths of the fields that v2 cannot express. */
  readonly dropped: readonly string[];
  readonly renamed: readonly (readonly [string, string])[];
  /** Labels of ports with a fixed number; v2 assigns any free port. */
  readonly anyPort: readonly string[];
  /** Whether the job is also restarted after success, which v2 does not support. */
  readonly always: boolean;
  /** Whether the job has an output directory that v2 cannot save. */
  readonly output: boolean;
  /** Roles whose command contains the start of a v2 template. */
  readonly template: readonly string[];
}

/** Returns the differences; null if there are none. */
export function lossesOf(root: Root): Losses | null {
  const from = shapeOf(root);
  const roles = from.roles(root);
  const ports = roles.flatMap((role) => role.readPorts(root));
  const environment = from.environment ? valueAt(root, from.environment) : null;
  const name = textAt(root, from.name);
  const taken = new Set<string>();
  // The values of variables become part of every command.
  const before = exportLines(root, from);
  const losses: Losses = {
    dropped: [
      ...from.hiddenFields(root).filter((path) => !(path === "extras" && isMap(root["extras"]))),
      ...(isMap(environment) ? Object.keys(environment).filter((key) => !/^[A-Za-z_]\w*$/.test(key)) : []),
    ],
    renamed: [
      [name, name.replace(/[^A-Za-z0-9_-]/g, "-")] as const,
      ...roles.map((role) => [role.name, uniqueV2Name(role.name, taken)] as const),
      ...roles.flatMap((role) => {
        const labels = new Set<string>();
        return role.readPorts(root).map(({ label }) => [label, uniqueV2Name(label, labels)] as const);
      }),
    ].filter(([old, now]) => old !== now && old !== ""),
    anyPort: ports.filter(({ first }) => first !== null && first > 0).map(({ label }) => label),
    always: numberAt(root, from.retries) === -2,
    output: from.directories !== null && textAt(root, from.directories.output) !== "" && outputUri(root, from) === null,
    template: roles.filter((role) => (before + role.readCommand(root)).includes("<%")).map((role) => role.name),
  };
  const any = losses.always || losses.output || [losses.dropped, losses.renamed, losses.anyPort, losses.template].some((one) => one.length > 0);
  return any ? losses : null;
}
