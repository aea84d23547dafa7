import { readBytes, type LogAddress } from "./log-address";
import type { Line } from "./log-source";

/** The lines that start in a section of a log. */
export interface Part {
  readonly lines: readonly Line[];
  /** Byte offset up to which the section has been read. */
  readonly end: number;
}

/** A section longer than this consists of short lines followed by one very long line. */
const LONGEST = 512 * 1024;
const LAST = 16 * 1024;

/** Maximum number of bytes of one line that the page shows. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

export async function partOf(log: LogAddress, from: number, to: number, signal: AbortSignal): Promise<Part> {
  if (to - from <= LONGEST) {
    const bytes = await readBytes(log, from, to, signal);
    return { lines: linesOf(bytes, from), end: from + bytes.length };
  }
  // The last state of a progress bar that never ends its line is at the end of the section.
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

/** Returns a function that reads only the new end of a part, from the start of its last line; null if the whole part must be read again. */
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

/** Splits bytes into lines; works on bytes because offsets count bytes. */
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

/**
 * Returns the index of the first whole line in the last bytes of a log. If these bytes are the end of one very long line, such as a
 * progress bar, they contain no whole line, and the index is 0.
 */
export function startOfTail(bytes: Uint8Array, from: number): number {
  const next = from > 0 ? bytes.indexOf(10) + 1 : 0;
  return next < bytes.length ? next : 0;
}

/** Fast path for most logs: if every character is one byte, one decoded text is split, which is much faster than decoding each line. */
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
