import type { Place } from "./cursor-context";

interface Level {
  readonly column: number;
  /** A field's name, or the number of an item. */
  step: string | number;
  names: string[];
}

const LINE = /^(\s*)((?:-\s+|-$)*)(.*)$/;
const FIELD = /^(["']?)([^\s:#"'{[][^:#"']*?)\1\s*:(?:\s+(.*))?$/;
const BLOCK = /(^|\s)[|>][-+\d]*\s*(#.*)?$/;

/** Reads YAML by its indentation up to a place; what is written in short notation is not looked into. */
export function placeInYaml(text: string, at: number): Place | null {
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
  return levels.place(current, at);
}

/** The tables and lists that the lines read so far have left open. */
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

  place(line: string, at: number): Place | null {
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

  /** Opens the items that a line begins with; answers what follows them. */
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
