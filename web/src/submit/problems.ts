import type { Problem } from "../api/error";
import { ApiError } from "../api/error";
import { isWithin, pathText, type Path } from "./document/path";
import type { Root, Shape } from "./document/shape";

/** A field of the form. */
export interface FormField {
  readonly path: Path;
  /** The label of the field. */
  readonly label: FieldLabel;
  /** The task role of the field; absent for fields of the job. */
  readonly role?: string;
}

/** The labels of the form with the fields of the shape that they belong to. */
const JOB_FIELDS = [
  ["jobName", "name"],
  ["virtualCluster", "virtualCluster"],
  ["retries", "retries"],
  ["deviceType", "deviceType"],
  ["description", "description"],
  ["environment", "environment"],
  ["parameters", "parameters"],
  ["secrets", "secrets"],
] as const;

const DIRECTORY_FIELDS = [["dataDir", "data"], ["outputDir", "output"], ["codeDir", "code"]] as const;

const ROLE_FIELDS = [
  ["image", "image"],
  ["command", "command"],
  ["ports", "ports"],
  ["tasks", "tasks"],
  ["cpus", "cpus"],
  ["memoryMB", "memory"],
  ["devices", "devices"],
  ["sharedMemory", "sharedMemory"],
  ["minFailed", "minFailed"],
  ["minSucceeded", "minSucceeded"],
  ["taskRetries", "taskRetries"],
  ["roleName", "namePath"],
] as const;

export type FieldLabel = (typeof JOB_FIELDS | typeof DIRECTORY_FIELDS | typeof ROLE_FIELDS)[number][0];

/** Returns all form fields at which a problem can be shown. */
export function formFields(shape: Shape, root: Root): readonly FormField[] {
  const { directories } = shape;
  return [
    ...labelled(JOB_FIELDS, shape),
    ...(directories ? labelled(DIRECTORY_FIELDS, directories) : []),
    ...shape.roles(root).flatMap((role) =>
      labelled(ROLE_FIELDS, role).map((field) => (field.label === "image" && role.imageOfAll ? field : { ...field, role: role.name })),
    ),
  ];
}

function labelled<K extends string>(names: readonly (readonly [FieldLabel, K])[], paths: Readonly<Record<K, Path | null>>): FormField[] {
  return names.flatMap(([label, key]) => {
    const path = paths[key];
    return path === null ? [] : [{ path, label }];
  });
}

/** Returns the innermost field that contains the path of a problem; null if there is none. */
export function fieldOf(problem: Problem, fields: readonly FormField[]): FormField | null {
  return fields
    .filter(({ path }) => isWithin(problem.path, pathText(path)))
    .reduce<FormField | null>((best, field) => (best && best.path.length >= field.path.length ? best : field), null);
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
