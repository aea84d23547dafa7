import { sequence, visible } from "./line-text";

/** A piece of a line in one look. Colours are numbers of the palette, or `#rrggbb`. */
export interface Piece {
  readonly text: string;
  readonly look: Look;
}

export interface Look {
  readonly color?: number | string;
  readonly background?: number | string;
  readonly bold?: boolean;
  readonly faint?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

const PLAIN: Look = {};

/** Reads colours (SGR) of a line; every other sequence is dropped. Nothing of it becomes markup. */
export function pieces(line: string): Piece[] {
  const found: Piece[] = [];
  let look = PLAIN;
  let at = 0;
  for (const match of line.matchAll(sequence)) {
    add(found, line.slice(at, match.index), look);
    at = match.index + match[0].length;
    if (match[2] === "m") {
      look = after(look, match[1] ?? "");
    }
  }
  add(found, line.slice(at), look);
  return found;
}

function add(found: Piece[], text: string, look: Look): void {
  if (text !== "") {
    found.push({ text: visible(text), look });
  }
}

function after(before: Look, codes: string): Look {
  let look = before;
  const numbers = codes.split(/[;:]/).map((code) => Number(code || "0"));
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i]!;
    if (code === 38 || code === 48) {
      const [color, used] = extended(numbers, i + 1);
      i += used;
      if (color !== undefined) {
        look = code === 38 ? { ...look, color } : { ...look, background: color };
      }
    } else {
      look = simple(look, code);
    }
  }
  return look;
}

function simple(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, faint: true };
  if (code === 3) return { ...look, italic: true };
  if (code === 4) return { ...look, underline: true };
  if (code === 7) return { ...look, inverse: true };
  if (code === 22) return { ...look, bold: false, faint: false };
  if (code === 23) return { ...look, italic: false };
  if (code === 24) return { ...look, underline: false };
  if (code === 27) return { ...look, inverse: false };
  if (code >= 30 && code <= 37) return { ...look, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...look, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...look, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...look, background: code - 92 };
  if (code === 39) return without(look, "color");
  if (code === 49) return without(look, "background");
  return look;
}

function without(look: Look, key: "color" | "background"): Look {
  const { [key]: _, ...rest } = look;
  return rest;
}

/** `5;n` of 256 colours, `2;r;g;b` of all; and how many numbers that took. */
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
