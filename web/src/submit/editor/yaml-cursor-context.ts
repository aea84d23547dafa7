import type { CursorContext } from "./cursor-context";

interface Level {
  readonly column: number;
  /** A field name or the index of an item. */
  step: string | number;
  names: string[];
}

const LINE = /^(\s*)((?:-\s+|-$)*)(.*)$/;
const FIELD = /^(["']?)([^\s:#"'{[][^:#"']*?)\1\s*:(?:\s+(.*))?$/;
const BLOCK = /(^|\s)[|>][-+\d]*\s*(#.*)?$/;

/** Parses YAML up to the cursor by its indentation; flow collections are not parsed. */
export function yamlCursorContext(text: string, at: number): CursorContext | null {
  const lines = text.slice(0, at).split("\n");
  const current = lines.pop()!;
  const levels = new Levels();
  let block: number | null = null;
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    if (line.trim() === "" || (block !== null && indent > block)) {
      continue;
    }
    block = BLOCK.test(line) ? indent : null;
    if (!line.trimStart().startsWith("#")) {
      levels.read(line);
    }
  }
  const indent = current.length - current.trimStart().length;
  if (current.trimStart().startsWith("#") || (block !== null && (indent > block || current.trim() === ""))) {
    return null;
  }
  return levels.contextAt(current, at);
}

/** The mappings and lists that are open after the lines read so far. */
class Levels {
  private readonly top: Level = { column: -1, step: "", names: [] };
  private readonly open: Level[] = [];

  read(line: string): void {
    const rest = this.items(line);
    const [, , name] = FIELD.exec(rest) ?? [];
    if (name !== undefined) {
      this.field(line.length - rest.length, name);
    }
  }

  contextAt(line: string, at: number): CursorContext | null {
    const rest = this.items(line);
    const word = /[\w.-]*$/.exec(line)![0];
    const from = at - word.length;
    const [, , name] = FIELD.exec(rest) ?? [];
    if (name !== undefined) {
      this.field(line.length - rest.length, name);
      return { within: this.steps(), kind: "value", from, taken: [] };
    }
    if (rest !== word) {
      return null;
    }
    const parent = this.parentAt(line.length - rest.length);
    return { within: this.steps(), kind: "name", from, taken: parent.names };
  }

  /** Opens the list items at the start of a line and returns the rest of the line. */
  private items(line: string): string {
    const [, spaces = "", dashes = "", rest = ""] = LINE.exec(line) ?? [];
    let column = spaces.length;
    for (const dash of dashes.match(/-\s*/g) ?? []) {
      while (this.open.length > 0 && this.open.at(-1)!.column > column) {
        this.open.pop();
      }
      const last = this.open.at(-1);
      if (last && last.column === column && typeof last.step === "number") {
        last.step++;
        last.names = [];
      } else {
        this.open.push({ column, step: 0, names: [] });
      }
      column += dash.length;
    }
    return rest;
  }

  private field(column: number, name: string): void {
    this.parentAt(column).names.push(name);
    this.open.push({ column, step: name, names: [] });
  }

  private parentAt(column: number): Level {
    while (this.open.length > 0 && this.open.at(-1)!.column >= column) {
      this.open.pop();
    }
    return this.open.at(-1) ?? this.top;
  }

  private steps(): (string | number)[] {
    return this.open.map(({ step }) => step);
  }
}
