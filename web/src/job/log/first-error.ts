import { plain } from "./line-text";
import type { LogSource } from "./log-source";
import { findLines, type LogAddress } from "./log-address";
import type { Diagnosis } from "../types";

/** Texts that programs, Python, shells, CUDA and MPI print on errors. */
const signs = [
  "Traceback (most recent call last)",
  "Error:",
  "ERROR",
  "[error]",
  "Exception:",
  "Exception in thread",
  "FATAL",
  "fatal:",
  "panic:",
  "Segmentation fault",
  "core dumped",
  "command not found",
  "No such file or directory",
  "Permission denied",
  "out of memory",
  "Out of memory",
  "Killed",
  "Aborted",
  "assertion failed",
  "Assertion `",
];

/** Returns the offset of the line that the server's diagnosis names. Without such a line, returns the offset of the first line that looks like an error, or null. */
export async function firstError(log: LogAddress, diagnosis: Diagnosis | null): Promise<number | null> {
  const evidence = diagnosis?.lines.find((line) => line.stream === log.stream);
  if (evidence && diagnosis?.role === log.role && diagnosis.index === log.index) {
    return evidence.offset;
  }
  for (let from = 0; ; ) {
    const page = await findLines(log, signs, { from, limit: 1, exact: true });
    if (page.matches.length > 0) {
      return page.matches[0]!;
    }
    if (page.end >= page.length) {
      return null;
    }
    from = page.end;
  }
}

/** Returns the number of the first loaded line that looks like an error; null if there is none. */
export function firstErrorHere(log: LogSource): number | null {
  for (let i = 0; i < log.count(); i++) {
    const text = plain(log.line(i)?.text ?? "");
    if (signs.some((sign) => text.includes(sign))) {
      return i;
    }
  }
  return null;
}

/** Markers that the server writes in place of omitted output; they are always near the end of the log. */
const omissionMarkers = ["the rest is left out]", "the rest of the output is left out]"];
const END_BYTES = 1_200_000;

export async function findOmission(log: LogAddress): Promise<number | null> {
  const page = await findLines(log, omissionMarkers, { from: -END_BYTES, limit: 1, exact: true });
  return page.matches[0] ?? null;
}
