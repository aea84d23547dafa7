/**
 * Converts lines to what a terminal would show: text that a carriage return overwrote is removed, and
 * backspaces are applied. Control characters and marks that change the writing direction are made
 * visible because they can mislead readers. Colors are left to `ansi.ts`.
 */
export const LONGEST_SHOWN = 2_000;

/** Returns the last non-empty state of a line; a lone `\r` starts the line again. */
export function lastState(line: string): string {
  if (!line.includes("\r")) {
    return line;
  }
  const states = line.split("\r");
  for (let i = states.length - 1; i >= 0; i--) {
    if (withoutSequences(states[i]!).trim() !== "") {
      return states[i]!;
    }
  }
  return "";
}

/** CSI and OSC sequences and two-character escapes; the groups identify `m` (SGR). */
export const sequence =
  // eslint-disable-next-line no-control-regex
  /\u001b\[([0-9;:?<=>!]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g;

export function withoutSequences(text: string): string {
  return text.replace(sequence, "");
}

// eslint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) {
      return String.fromCharCode(0x2400 + code);
    }
    return code === 0x7f ? "\u2421" : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

export function withBackspaces(text: string): string {
  if (!text.includes("\b")) {
    return text;
  }
  const kept: string[] = [];
  for (const character of text) {
    if (character !== "\b") {
      kept.push(character);
    } else {
      kept.pop();
    }
  }
  return kept.join("");
}

/** Returns the plain text of a line, for copying, searching and screen readers. */
export function plain(line: string): string {
  return visible(withBackspaces(withoutSequences(lastState(line))));
}
