import type { FailureRule } from "./failure-rule";
import { formatOf, type JobDocument } from "./job-document";
import { isMap, toNumber, valueAt, type Path } from "./path";
import { v1 } from "./v1";
import { v2 } from "./v2";

/** The paths of the form's fields in a job file format. */
export interface Shape {
  readonly name: Path;
  readonly virtualCluster: Path;
  readonly retries: Path;
  readonly deviceType: Path;
  readonly description: Path | null;
  /** OpenPAI v1 only. */
  readonly directories: { readonly data: Path; readonly output: Path; readonly code: Path } | null;
  readonly environment: Path | null;
  /** OpenPAI v2 only. */
  readonly parameters: Path | null;
  readonly secrets: Path | null;
  readonly leastRetries: number;
  readonly roles: (root: Root) => readonly RoleShape[];
  readonly addRole: (document: JobDocument, like?: RoleShape) => void;
  readonly removeRole: (document: JobDocument, role: RoleShape) => void;
  readonly renameRole: (document: JobDocument, role: RoleShape, name: string) => void;
  /** Returns the paths of the fields that the form does not show. */
  readonly hiddenFields: (root: Root) => readonly string[];
}

export type Root = Readonly<Record<string, unknown>>;

export interface Port {
  readonly label: string;
  readonly count: number;
  /** The first port; 0 for any. Null if the format does not support it. */
  readonly first: number | null;
}

export interface RoleShape {
  readonly at: Path;
  readonly name: string;
  readonly namePath: Path;
  readonly tasks: Path;
  readonly cpus: Path;
  readonly memory: Path;
  readonly devices: Path;
  readonly sharedMemory: Path;
  readonly minFailed: Path;
  readonly minSucceeded: Path;
  readonly taskRetries: Path | null;
  readonly ports: Path;
  readonly command: Path;
  readonly image: Path;
  /** Whether all roles share the image. */
  readonly imageOfAll: boolean;
  /** Rule that applies to the command if the command does not set another. */
  readonly defaultRule: FailureRule;
  readonly readCommand: (root: Root) => string;
  readonly writeCommand: (document: JobDocument, text: string) => void;
  readonly readPorts: (root: Root) => readonly Port[];
  readonly writePorts: (document: JobDocument, ports: readonly Port[]) => void;
  readonly readImage: (root: Root) => string;
  readonly writeImage: (document: JobDocument, image: string) => void;
}

export function shapeOf(root: Root): Shape {
  return formatOf(root) === "openpai-v2" ? v2 : v1;
}

export function textAt(root: Root, path: Path): string {
  const value = valueAt(root, path);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

export function numberAt(root: Root, path: Path): number | null {
  return toNumber(valueAt(root, path));
}

/** Sets a field, or removes it if the value is empty. */
export function put(document: JobDocument, path: Path, value: string | number | null): void {
  if (value === null || value === "") {
    if (valueAt(document.root, path) !== undefined) {
      document.remove(path);
    }
  } else {
    document.set(path, value);
  }
}

/** Returns the paths of all masked secrets. */
export function masked(value: unknown, at: Path = []): readonly Path[] {
  if (value === MASK) {
    return [at];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown, i) => masked(one, [...at, i]));
  }
  return isMap(value) ? Object.entries(value).flatMap(([key, one]) => masked(one, [...at, key])) : [];
}

const MASK = "******";
