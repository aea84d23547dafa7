import { readBytes, type LogAddress } from "./log-address";
import type { Line } from "./log-source";

/** The lines that begin in a stretch of a log. */
export interface Part {
  readonly lines: readonly Line[];
  /** How far it was read. */
  readonly end: number;
}

/** Longer stretches consist of short lines and, at their end, one that is very long. */
const LONGEST = 512 * 1024;
const LAST = 16 * 1024;

/** Of a very long line nobody sees more in a page. */
export const TOO_FAR = 4 * 1024 * 1024;

export async function partOf(log: LogAddress, from: number, to: number, signal: AbortSignal): Promise<Part> {
  if (to - from <= LONGEST) {
    const bytes = await readBytes(log, from, to, signal);
    return { lines: linesOf(bytes, from), end: from + bytes.length };
  }
  // A progress bar that never ends its line shows its last state, which is at the end.
  const [head, tail] = await Promise.all([readBytes(log, from, from + LONGEST, signal), readBytes(log, to - LAST, to, signal)]);
  const lines = linesOf(head, from);
  const long = lines.at(-1);
  if (long) {
    const rest = linesOf(tail, to - LAST)[0]?.text ?? "";
    const cut = Math.max(0, to - LAST - (from + head.length));
    lines[lines.length - 1] = rest.includes("\r") ? { ...long, text: rest, cut } : { ...long, text: long.text, cut: cut + LAST };
  }
  return { lines, end: to };
}

/** How to read what has been added to a part: from the beginning of its last line on. Null if it is to be read anew. */
export function grownPart(part: Part, to: number): ((log: LogAddress, signal: AbortSignal) => Promise<Part>) | null {
  const last = part.lines.at(-1);
  if (!last || last.cut > 0 || to - last.offset > LONGEST) {
    return null;
  }
  return async (log, signal) => {
    const bytes = await readBytes(log, last.offset, to, signal);
    return { lines: [...part.lines.slice(0, -1), ...linesOf(bytes, last.offset)], end: last.offset + bytes.length };
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Split by bytes, as offsets count bytes. */
export function linesOf(bytes: Uint8Array, offset: number): Line[] {
  const text = decoder.decode(bytes);
  if (text.length === bytes.length) {
    return linesOfPlain(text, offset);
  }
  const lines: Line[] = [];
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const before = end > start && bytes[end - 1] === 13 ? end - 1 : end;
    lines.push({ text: decoder.decode(bytes.subarray(start, before)), cut: 0, offset: offset + start });
    start = end + 1;
  }
  return lines;
}

/** Most logs: every character is one byte, and one text is split much faster than many are made. */
function linesOfPlain(text: string, offset: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const before = end > start && text[end - 1] === "\r" ? end - 1 : end;
    lines.push({ text: text.slice(start, before), cut: 0, offset: offset + start });
    start = end + 1;
  }
  return lines;
}
