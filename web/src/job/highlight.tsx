import type { ReactNode } from "react";
import { visible } from "./log/line-text";

/** Highlights keys, strings, numbers and comments of JSON and YAML, which is enough for job files. */
const parts =
  /(?<comment>(?:^|\s)#.*$)|(?<key>"(?:[^"\\]|\\.)*"(?=\s*:)|^\s*(?:- )*[\w.$-]+(?=\s*:(?:\s|$)))|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])|\b(?:true|false|null)\b)/g;
const LONGEST = 2_000;

export function highlighted(line: string): ReactNode {
  if (line.length > LONGEST) {
    return visible(line);
  }
  const found: ReactNode[] = [];
  let at = 0;
  for (const match of line.matchAll(parts)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    found.push(
      visible(line.slice(at, match.index)),
      <span key={match.index} className={`code-${kind}`}>
        {visible(match[0])}
      </span>,
    );
    at = match.index + match[0].length;
  }
  return [...found, visible(line.slice(at))];
}
