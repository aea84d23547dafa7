import { changed } from "./document/job-document";
import type { Path } from "./document/path";
import { numberAt, put, shapeOf, type RoleShape, type Root } from "./document/shape";

/** Maximum resources that one task can request on this cluster; null for resources that do not prevent the job from starting. */
export interface Capacity {
  readonly devices: number | null;
  readonly cpus: number | null;
  readonly memoryMB: number | null;
}

/** Returns the capacity according to the reason why a job can never start; null if smaller tasks would not help. */
export function capacityOf(reason: {
  readonly reasonCode: string | null;
  readonly reasonParams?: Readonly<Record<string, unknown>> | null | undefined;
}): Capacity | null {
  const code = reason.reasonCode ?? "";
  const number = (name: string) => {
    const value = reason.reasonParams?.[name];
    return typeof value === "number" && value >= 0 ? value : null;
  };
  if (!code.startsWith("wait.never-")) {
    return null;
  }
  // A quota or limit applies to the whole job. Only a quota or limit of 0 is also the maximum of each task.
  const limited = code.endsWith("-devices") && number("most") === 0 ? 0 : null;
  const capacity = { devices: number("mostDevices") ?? limited, cpus: number("mostCpus"), memoryMB: number("mostMemoryMB") };
  const helps = (capacity.devices ?? capacity.cpus ?? capacity.memoryMB) !== null;
  // A node without any CPU or memory cannot run a smaller task either.
  return helps && capacity.cpus !== 0 && capacity.memoryMB !== 0 ? capacity : null;
}

/** Returns the fields that exceed the capacity, with their largest possible values. */
export function excesses(root: Root, capacity: Capacity): readonly { readonly path: Path; readonly most: number }[] {
  return shapeOf(root)
    .roles(root)
    .flatMap((role) => limits(role, capacity))
    .filter(({ path, most }) => (numberAt(root, path) ?? 0) > most);
}

/** Reduces the requests of a job file to the capacity. */
export function fitted(text: string, capacity: Capacity): string {
  return changed(text, (document) => {
    const shape = shapeOf(document.root);
    for (const { path, most } of excesses(document.root, capacity)) {
      document.set(path, most);
    }
    for (const role of shape.roles(document.root)) {
      const memory = numberAt(document.root, role.memory);
      if (memory !== null && (numberAt(document.root, role.sharedMemory) ?? 0) > memory) {
        document.set(role.sharedMemory, memory);
      }
    }
    if (capacity.devices === 0) {
      put(document, shape.deviceType, null);
    }
  });
}

function limits(role: RoleShape, capacity: Capacity) {
  const all = [
    { path: role.devices, most: capacity.devices },
    { path: role.cpus, most: capacity.cpus },
    { path: role.memory, most: capacity.memoryMB },
  ];
  return all.flatMap(({ path, most }) => (most === null ? [] : [{ path, most }]));
}
