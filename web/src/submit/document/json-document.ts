import type { JobDocument, Opened } from "./job-document";
import { withoutComments } from "./json-comments";
import { isMap, isTable, valueAt, type Path } from "./path";
import { openYaml } from "./yaml-document";

export function openJson(text: string): Opened {
  try {
    const root = parsed(text);
    return isMap(root) ? { document: new JsonJob(root) } : { fault: { kind: "unknown" } };
  } catch (error) {
    const yaml = openYaml(text);
    if ("document" in yaml && "protocolVersion" in yaml.document.root) {
      return yaml;
    }
    return { fault: { kind: "broken", detail: error instanceof Error ? error.message : "" } };
  }
}

/** Parses JSON, with or without comments. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = withoutComments(text);
    if (plain === text) {
      throw error;
    }
    return JSON.parse(plain);
  }
}

class JsonJob implements JobDocument {
  readonly syntax = "json";
  root: Record<string, unknown>;

  constructor(root: Record<string, unknown>) {
    this.root = root;
  }

  set(path: Path, value: unknown): void {
    const last = path.at(-1);
    if (last === undefined) {
      this.root = value as Record<string, unknown>;
      return;
    }
    let table: Record<string, unknown> = this.root;
    path.slice(0, -1).forEach((step, i) => {
      const found = Object.hasOwn(table, String(step)) ? table[String(step)] : undefined;
      table = isTable(found) ? found : put(table, step, typeof path[i + 1] === "number" ? [] : {});
    });
    put(table, last, value);
  }

  remove(path: Path): void {
    const table = valueAt(this.root, path.slice(0, -1));
    const last = path.at(-1)!;
    if (Array.isArray(table)) {
      table.splice(Number(last), 1);
    } else if (isMap(table)) {
      delete table[String(last)];
    }
  }

  rename(path: Path, name: string): void {
    const table = valueAt(this.root, path.slice(0, -1));
    if (isMap(table)) {
      const entries = Object.entries(table).map(([key, value]) => [key === path.at(-1) ? name : key, value]);
      this.set(path.slice(0, -1), Object.fromEntries(entries));
    }
  }

  text(): string {
    return JSON.stringify(this.root, null, 2) + "\n";
  }
}

/** Sets a field or an item. A name such as `__proto__` also becomes a normal field. */
function put<T>(table: Record<string, unknown>, step: string | number, value: T): T & Record<string, unknown> {
  Object.defineProperty(table, step, { value, writable: true, enumerable: true, configurable: true });
  return value as T & Record<string, unknown>;
}
