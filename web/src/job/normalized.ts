import { isRoot, open, written } from "../submit/document/job-document";

/**
 * Returns a job file as YAML with sorted fields and scripts of several lines, so that files that mean the same look the same;
 * returns the text unchanged if it cannot be parsed.
 */
export function normalized(text: string): string {
  const opened = open(text);
  return "document" in opened ? written(sorted(opened.document.root) as Record<string, unknown>, "yaml").trimEnd() : text;
}

/** Sorts the fields of all objects; the order of lists has a meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (!isRoot(value)) {
    return value;
  }
  const first = (name: string) => (name === "name" || name === "jobName" || name === "protocolVersion" ? 0 : 1);
  const names = Object.keys(value).sort((a, b) => first(a) - first(b) || (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
