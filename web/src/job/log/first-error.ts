import { findLines, type LogAddress } from "./log-address";
import type { Diagnosis } from "../types";

/** What programs, Python, shells, CUDA and MPI write when something went wrong. */
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

/** What the server believes to be the cause, else the first line that looks like one; null if none does. */
export async function firstError(log: LogAddress, diagnosis: Diagnosis | null): Promise<number | null> {
  const told = diagnosis?.lines.find((line) => line.stream === log.stream);
  if (told && diagnosis?.role === log.role && diagnosis.index === log.index) {
    return told.offset;
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

/** How the server says that it left something out; always near the end. */
const leftOut = ["the rest is left out]", "the rest of the output is left out]"];
const NEAR = 1_200_000;

export async function findLeftOut(log: LogAddress): Promise<number | null> {
  const page = await findLines(log, leftOut, { from: -NEAR, limit: 1, exact: true });
  return page.matches[0] ?? null;
}
