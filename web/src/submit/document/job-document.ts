import type { Path } from "./path";
import { isMap } from "./path";
import { openJson } from "./json-document";
import { openYaml } from "./yaml-document";

export type JobFormat = "openpai-v1" | "openpai-v2";
export type Syntax = "json" | "yaml";

/** A job file that can be changed in places; all else in it stays as it was written. */
export interface JobDocument {
  readonly syntax: Syntax;
  /** All that it says, as plain values. */
  readonly root: Readonly<Record<string, unknown>>;
  set(path: Path, value: unknown): void;
  remove(path: Path): void;
  /** The field at `path` under another name, at the same place. */
  rename(path: Path, name: string): void;
  text(): string;
}

/** Why a text can't be shown as a form. */
export type Fault =
  /** It is not JSON or YAML; the reader's own words say where. */
  | { readonly kind: "broken"; readonly detail: string }
  /** It is something else than a job file. */
  | { readonly kind: "unknown" }
  /** It is written in ways that a form can't show: references, unusual numbers, field names that are no texts. */
  | { readonly kind: "beyond"; readonly what: string };

export type Opened = { readonly document: JobDocument } | { readonly fault: Fault };

/** The server reads what begins with a brace as JSON, unless it is YAML's short notation. */
export function open(text: string): Opened {
  const plain = text.replace(/^\uFEFF/, "");
  const opened = /^\s*\{/.test(plain) ? openJson(plain) : openYaml(plain);
  if ("document" in opened && !formatOf(opened.document.root)) {
    return { fault: { kind: "unknown" } };
  }
  return opened;
}

export function formatOf(root: Readonly<Record<string, unknown>>): JobFormat | null {
  if ("protocolVersion" in root) {
    return "openpai-v2";
  }
  return "jobName" in root || "taskRoles" in root ? "openpai-v1" : null;
}

/** The text after a change; the same text where it can't be read. */
export function changed(text: string, change: (document: JobDocument) => void): string {
  const opened = open(text);
  if (!("document" in opened)) {
    return text;
  }
  change(opened.document);
  return opened.document.text();
}

/** The same job file in the other notation. What only YAML has, comments, is lost in JSON. */
export function written(root: Readonly<Record<string, unknown>>, syntax: Syntax): string {
  const opened = syntax === "json" ? openJson(JSON.stringify(root)) : openYaml("{}");
  if (!("document" in opened)) {
    throw new Error("an empty file can be read");
  }
  if (syntax === "yaml") {
    opened.document.set([], root);
  }
  return opened.document.text();
}

export function isRoot(value: unknown): value is Record<string, unknown> {
  return isMap(value);
}
