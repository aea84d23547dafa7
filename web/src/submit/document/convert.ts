import { written, type JobDocument, type Syntax } from "./job-document";
import { numberAt, put, shapeOf, textAt, type Root, type Shape } from "./shape";
import { isMap, valueAt, type Path } from "./path";
import { openJson } from "./json-document";

/**
 * The same job in OpenPAI's second format, for those who want secrets, or an image for each role.
 * Only what the form shows is carried over; whoever calls asks first if there is more.
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
  return {
    protocolVersion: 2,
    name: textAt(root, from.name).replace(/[^A-Za-z0-9_-]/g, "-"),
    type: "job",
    prerequisites: [{ name: "image", type: "dockerimage", uri: roles[0]?.readImage(root) ?? "" }],
    taskRoles: Object.fromEntries(
      roles.map((role) => [
        role.name.replace(/[^A-Za-z0-9_]/g, "_"),
        { instances: 1, dockerImage: "image", resourcePerInstance: { cpu: 1, memoryMB: 1024, gpu: 0 }, commands: [""] },
      ]),
    ),
  };
}

function carry(root: Root, from: Shape, document: JobDocument, to: Shape): void {
  const number = (source: Path, target: Path) => put(document, target, numberAt(root, source));
  put(document, to.virtualCluster, textAt(root, from.virtualCluster));
  put(document, to.deviceType, textAt(root, from.deviceType));
  const retries = numberAt(root, from.retries);
  put(document, to.retries, retries === null ? null : Math.max(0, retries));
  const targets = to.roles(document.root);
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
    number(role.minFailed, target.minFailed);
    number(role.minSucceeded, target.minSucceeded);
    target.writeCommand(document, exported(root, from) + role.readCommand(root));
    const ports = role.readPorts(root);
    if (ports.length > 0) {
      target.writePorts(document, ports);
    }
  });
}

/** The second format has no variables and directories of its own: the script sets them. */
function exported(root: Root, from: Shape): string {
  const variables: [string, string][] = [];
  if (from.directories) {
    variables.push(["PAI_DATA_DIR", textAt(root, from.directories.data)]);
    variables.push(["PAI_OUTPUT_DIR", textAt(root, from.directories.output)]);
    variables.push(["PAI_CODE_DIR", textAt(root, from.directories.code)]);
  }
  const environment = from.environment ? valueAt(root, from.environment) : null;
  if (isMap(environment)) {
    variables.push(...Object.entries(environment).map(([name, value]): [string, string] => [name, String(value)]));
  }
  return variables
    .filter(([name, value]) => value !== "" && /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}
