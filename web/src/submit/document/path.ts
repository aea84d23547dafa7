/** The path of a field in a job file. */
export type Path = readonly (string | number)[];

const PLAIN = /^[A-Za-z0-9_$-]{1,64}$/;

/** Formats a path like the server does in problems: `taskRoles[0].command`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") {
      return `${text}[${step}]`;
    }
    if (!PLAIN.test(step)) {
      return `${text}["${step}"]`;
    }
    return text ? `${text}.${step}` : step;
  }, "");
}

/** Returns whether a path is equal to another or within it. */
export function isWithin(path: string, whole: string): boolean {
  return path === whole || (path.startsWith(whole) && /^[.[]/.test(path.slice(whole.length)));
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (isTable(value) ? value[String(step)] : undefined), root);
}

/** Returns whether the value is an object or a list. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return isTable(value) && !Array.isArray(value);
}

/** Returns the value of a number or of an integer in quotes; null for any other value. */
export function toNumber(value: unknown): number | null {
  return typeof value === "number" ? value : typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : null;
}
