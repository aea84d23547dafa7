import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { Problem } from "../../api/error";
import { messageText } from "../../api/messages";
import type { Language } from "../../i18n/language";

/** A quoted string, or the text up to the next punctuation character of JSON or YAML. */
const WORD = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,:{}[\]"']+)/;

/** Returns the problems and warnings as diagnostics of the editor. */
export function diagnosticsOf(problems: readonly Problem[], warnings: readonly Problem[], language: Language) {
  return (state: EditorState): readonly Diagnostic[] => [
    ...problems.map((one) => mark(state, one, "error", language)),
    ...warnings.map((one) => mark(state, one, "warning", language)),
  ];
}

/** Returns the first line that sets the field of a problem without a line, for example a taken name; 1 if there is none. */
export function lineOf(path: string, text: string): number {
  const name = /[\w-]+$/.exec(path)?.[0];
  const key = name && new RegExp(`^[\\s{-]*["']?${name}["']?\\s*:`);
  return key ? Math.max(0, text.split("\n").findIndex((line) => key.test(line))) + 1 : 1;
}

function mark(state: EditorState, problem: Problem, severity: "error" | "warning", language: Language): Diagnostic {
  const number = Math.min(problem.line > 0 ? problem.line : lineOf(problem.path, state.doc.toString()), state.doc.lines);
  const line = state.doc.line(number);
  const column = Math.max(0, problem.column - 1);
  const start = problem.column > 0 ? Math.min(line.from + column, line.to) : line.from + (line.text.length - line.text.trimStart().length);
  const from = start === line.to ? line.from : start;
  const message = messageText(problem, language);
  const length = WORD.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
  return { from, to: length > 0 ? from + length : line.to, severity, message: problem.path ? `${problem.path}: ${message}` : message };
}
