import type { Path } from "../document/path";

/** Where one writes: in which table or list, and whether a field's name or a value belongs there. */
export interface Place {
  readonly within: Path;
  readonly kind: "name" | "value";
  /** Where the word begins that is being written. */
  readonly from: number;
  /** Names that stand in the same table already, before this place. */
  readonly taken: readonly string[];
}

/** Reads JSON up to a place, however unfinished what follows. */
export function placeInJson(text: string, at: number): Place | null {
  const open: { list: boolean; key: string | null; index: number; names: string[] }[] = [];
  let expectsName = false;
  let i = 0;
  while (i < at) {
    const char = text[i]!;
    const top = open.at(-1);
    if (char === '"') {
      const end = endOfString(text, i);
      if (end >= at) {
        return top ? { ...placeOf(open, expectsName), from: i } : null;
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
  return open.length > 0 ? { ...placeOf(open, expectsName), from: at - word.length } : null;
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

function placeOf(open: readonly { list: boolean; key: string | null; index: number; names: string[] }[], expectsName: boolean): Omit<Place, "from"> {
  const steps = open.map(({ list, key, index }) => (list ? index : (key ?? "")));
  const top = open.at(-1)!;
  return expectsName
    ? { within: steps.slice(0, -1), kind: "name", taken: top.names }
    : { within: steps, kind: "value", taken: [] };
}

