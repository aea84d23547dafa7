import type { Path } from "./path";
import { isMap } from "./path";
import { openJson } from "./json-document";
import { openYaml } from "./yaml-document";

export type JobFormat = "openpai-v1" | "openpai-v2";
export type Syntax = "json" | "yaml";

/** A job file that can be edited field by field; the rest of the text stays unchanged. */
export interface JobDocument {
  readonly syntax: Syntax;
  /** The content as plain values. */
  readonly root: Readonly<Record<string, unknown>>;
  set(path: Path, value: unknown): void;
  remove(path: Path): void;
  /** Renames the field at `path` without moving it. */
  rename(path: Path, name: string): void;
  text(): string;
}

/** The reason why a text cannot be shown as a form. */
export type Fault =
  /** Not valid JSON or YAML; `detail` is the message of the parser. */
  | { readonly kind: "broken"; readonly detail: string }
  /** Not a job file. */
  | { readonly kind: "unknown" }
  /** Uses syntax that the form cannot show: aliases, unusual numbers, field names that are not strings. */
  | { readonly kind: "beyond"; readonly what: string };

export type Opened = { readonly document: JobDocument } | { readonly fault: Fault };

/** Parses a job file. Text that starts with a brace or a comment of JSON is JSON, like on the server, unless it is a YAML flow mapping. */
export function open(text: string): Opened {
  const plain = text.replace(/^\uFEFF/, "");
  const opened = /^\s*(\{|\/[/*])/.test(plain) ? openJson(plain) : openYaml(plain);
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

/** Returns the text after a change, or the same text if it cannot be parsed. */
export function changed(text: string, change: (document: JobDocument) => void): string {
  const opened = open(text);
  if (!("document" in opened)) {
    return text;
  }
  change(opened.document);
  return opened.document.text();
}

/** Writes a job file in the given syntax. Comments of YAML are lost. */
export function written(root: Readonly<Record<string, unknown>>, syntax: Syntax): string {
  const opened = syntax === "json" ? openJson(JSON.stringify(root)) : openYaml("{}");
  if (!("document" in opened)) {
    throw new Error("failed to parse an empty document");
  }
  if (syntax === "yaml") {
    opened.document.set([], root);
  }
  return opened.document.text();
}

export function isRoot(value: unknown): value is Record<string, unknown> {
  return isMap(value);
}
