/**
 * A line as a person would have seen it in a terminal: what a carriage return wrote over is gone,
 * backspaces have erased. What could deceive (control characters, marks that turn the direction of
 * writing) is made visible; colours stay for `ansi.ts`.
 */
export const LONGEST_SHOWN = 2_000;

/** `\r` alone begins the line anew; the last state that is not empty is what stands there. */
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

/** CSI and OSC sequences, and other escapes of two characters; `m` (colour) is told apart. */
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

/** The plain words of a line: for copying, searching and reading aloud. */
export function plain(line: string): string {
  return visible(withBackspaces(withoutSequences(lastState(line))));
}
