import { sequence, visible } from "./line-text";

/** A part of a line in one style. Colors are palette indexes or `#rrggbb`. */
export interface Piece {
  readonly text: string;
  readonly style: TextStyle;
}

export interface TextStyle {
  readonly color?: number | string;
  readonly background?: number | string;
  readonly bold?: boolean;
  readonly faint?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

const PLAIN: TextStyle = {};

/** Splits a line by its SGR sequences (colors and styles); other escape sequences are dropped. Nothing is interpreted as markup. */
export function pieces(line: string): Piece[] {
  const found: Piece[] = [];
  let style = PLAIN;
  let at = 0;
  for (const match of line.matchAll(sequence)) {
    add(found, line.slice(at, match.index), style);
    at = match.index + match[0].length;
    if (match[2] === "m") {
      style = after(style, match[1] ?? "");
    }
  }
  add(found, line.slice(at), style);
  return found;
}

function add(found: Piece[], text: string, style: TextStyle): void {
  if (text !== "") {
    found.push({ text: visible(text), style });
  }
}

function after(before: TextStyle, codes: string): TextStyle {
  let style = before;
  const numbers = codes.split(/[;:]/).map((code) => Number(code || "0"));
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i]!;
    if (code === 38 || code === 48) {
      const [color, used] = extended(numbers, i + 1);
      i += used;
      if (color !== undefined) {
        style = code === 38 ? { ...style, color } : { ...style, background: color };
      }
    } else {
      style = simple(style, code);
    }
  }
  return style;
}

function simple(style: TextStyle, code: number): TextStyle {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, faint: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 22) return { ...style, bold: false, faint: false };
  if (code === 23) return { ...style, italic: false };
  if (code === 24) return { ...style, underline: false };
  if (code === 27) return { ...style, inverse: false };
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  if (code === 39) return without(style, "color");
  if (code === 49) return without(style, "background");
  return style;
}

function without(style: TextStyle, key: "color" | "background"): TextStyle {
  const { [key]: _, ...rest } = style;
  return rest;
}

/** Parses `5;n` (256 colors) or `2;r;g;b` (true color); also returns the number of consumed parameters. */
function extended(numbers: readonly number[], at: number): [number | string | undefined, number] {
  if (numbers[at] === 5) {
    const n = numbers[at + 1] ?? 0;
    return [n < 16 ? n : of256(n), 2];
  }
  if (numbers[at] === 2) {
    return [hex(numbers[at + 1], numbers[at + 2], numbers[at + 3]), 4];
  }
  return [undefined, 0];
}

function of256(n: number): string {
  if (n >= 232) {
    const gray = 8 + (Math.min(n, 255) - 232) * 10;
    return hex(gray, gray, gray);
  }
  const cube = n - 16;
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function hex(...parts: (number | undefined)[]): string {
  return `#${parts.map((part) => Math.min(255, Math.max(0, part ?? 0) || 0).toString(16).padStart(2, "0")).join("")}`;
}
