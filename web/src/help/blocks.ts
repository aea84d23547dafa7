export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "paragraph"; readonly text: string };

const listItem = /^(?:[-*]|\d+\.) /;

/** Splits a text into blocks, line by line. */
export function blocks(text: string): Block[] {
  const lines = text.split("\n");
  const found: Block[] = [];
  while (lines.length > 0) {
    const line = lines.shift()!;
    if (line.startsWith("```")) {
      found.push({ kind: "code", text: takeWhile(lines, (next) => !next.startsWith("```")).join("\n") });
      lines.shift();
    } else if (line.startsWith("#")) {
      const level = /^#+/.exec(line)![0].length;
      const title = line.slice(level).trim();
      found.push({ kind: "heading", level, text: title, id: title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-") });
    } else if (line.startsWith("|")) {
      const [, ...rows] = takeWhile(lines, (next) => next.startsWith("|"));
      found.push({ kind: "table", head: cells(line), rows: rows.map(cells) });
    } else if (listItem.test(line)) {
      const items = [line, ...takeWhile(lines, (next) => listItem.test(next))];
      found.push({ kind: "list", ordered: /^\d/.test(line), items: items.map((item) => item.replace(listItem, "")) });
    } else if (line.trim() !== "") {
      found.push({ kind: "paragraph", text: [line, ...takeWhile(lines, isProse)].join(" ") });
    }
  }
  return found;
}

function isProse(line: string): boolean {
  return line.trim() !== "" && !/^(```|#|\|)/.test(line) && !listItem.test(line);
}

function takeWhile(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

function cells(row: string): string[] {
  return row
    .slice(1, row.trimEnd().endsWith("|") ? row.trimEnd().length - 1 : undefined)
    .split("|")
    .map((cell) => cell.trim());
}
