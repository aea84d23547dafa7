import type { Problem } from "../api/error";
import { ApiError } from "../api/error";
import { isWithin, pathText, type Path } from "./document/path";
import type { Root, Shape } from "./document/shape";

/** Returns the paths of all form fields at which a problem can be shown. */
export function fieldPaths(shape: Shape, root: Root): readonly Path[] {
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

/** Returns the innermost field that contains the path of a problem; null if there is none. */
export function fieldOf(problem: Problem, places: readonly Path[]): Path | null {
  return places
    .filter((path) => isWithin(problem.path, pathText(path)))
    .reduce<Path | null>((best, path) => (best && best.length >= path.length ? best : path), null);
}

/** Returns the problems of an error; an error without paths is assigned to a field by its message code. */
export function problemsOf(error: ApiError, shape: Shape | null): readonly Problem[] {
  if (error.problems.length > 0) {
    return error.problems;
  }
  const { code } = error.serverMessage;
  const at = code === "error.job-name-taken" ? shape?.name : code.startsWith("error.vc-") ? shape?.virtualCluster : undefined;
  return [{ ...error.serverMessage, path: at ? pathText(at) : "", line: 0, column: 0 }];
}
