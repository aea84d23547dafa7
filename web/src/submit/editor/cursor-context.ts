import type { Path } from "../document/path";

/** The position of the cursor in a job file: the enclosing object or list, and whether a field name or a value is expected. */
export interface CursorContext {
  readonly within: Path;
  readonly kind: "name" | "value";
  /** Start of the word at the cursor. */
  readonly from: number;
  /** Names of the fields before the cursor in the same object. */
  readonly taken: readonly string[];
}

/** Parses JSON up to the cursor; the text after it may be incomplete. */
export function jsonCursorContext(text: string, at: number): CursorContext | null {
  const open: { list: boolean; key: string | null; index: number; names: string[] }[] = [];
  let expectsName = false;
  let i = 0;
  while (i < at) {
    const char = text[i]!;
    const top = open.at(-1);
    if (char === '"') {
      const end = endOfString(text, i);
      if (end >= at) {
        return top ? { ...contextOf(open, expectsName), from: i } : null;
      }
      if (expectsName && top) {
        top.key = text.slice(i + 1, end);
        top.names.push(top.key);
      }
      i = end + 1;
      continue;
    }
    if (char === "{" || char === "[") {
      open.push({ list: char === "[", key: null, index: 0, names: [] });
      expectsName = char === "{";
    } else if (char === "}" || char === "]") {
      open.pop();
      expectsName = false;
    } else if (char === ":") {
      expectsName = false;
    } else if (char === "," && top) {
      top.index++;
      expectsName = !top.list;
    }
    i++;
  }
  const word = /[\w.-]*$/.exec(text.slice(0, at))![0];
  return open.length > 0 ? { ...contextOf(open, expectsName), from: at - word.length } : null;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") {
      i++;
    } else if (text[i] === '"' || text[i] === "\n") {
      return i;
    }
  }
  return text.length;
}

function contextOf(open: readonly { list: boolean; key: string | null; index: number; names: string[] }[], expectsName: boolean): Omit<CursorContext, "from"> {
  const steps = open.map(({ list, key, index }) => (list ? index : (key ?? "")));
  const top = open.at(-1)!;
  return expectsName
    ? { within: steps.slice(0, -1), kind: "name", taken: top.names }
    : { within: steps, kind: "value", taken: [] };
}

