import type { Problem } from "../api/error";
import { ApiError } from "../api/error";
import { isWithin, pathText, type Path } from "./document/path";
import type { Root, Shape } from "./document/shape";

/** Every place of the form at which a problem can be shown. */
export function placesOf(shape: Shape, root: Root): readonly Path[] {
  const of = [shape.name, shape.virtualCluster, shape.retries, shape.deviceType, shape.description, shape.environment, shape.parameters, shape.secrets];
  if (shape.directories) {
    of.push(shape.directories.data, shape.directories.output, shape.directories.code);
  }
  for (const role of shape.roles(root)) {
    of.push(role.image, role.command, role.ports, role.tasks, role.cpus, role.memory, role.devices, role.sharedMemory);
    of.push(role.minFailed, role.minSucceeded, role.taskRetries, role.namePath);
  }
  return of.filter((path) => path !== null);
}

/** The field that a problem belongs to: the innermost that contains its place; null for none. */
export function fieldOf(problem: Problem, places: readonly Path[]): Path | null {
  return places
    .filter((path) => isWithin(problem.path, pathText(path)))
    .reduce<Path | null>((best, path) => (best && best.length >= path.length ? best : path), null);
}

/** A refusal as problems: those that name no place have one by what they are about. */
export function problemsOf(error: ApiError, shape: Shape | null): readonly Problem[] {
  if (error.problems.length > 0) {
    return error.problems;
  }
  const code = error.told.code ?? "";
  const at = code === "error.job-name-taken" ? shape?.name : code.startsWith("error.vc-") ? shape?.virtualCluster : undefined;
  return [{ ...error.told, path: at ? pathText(at) : "", line: 0, column: 0 }];
}
