import { plain } from "./line-text";
import { readTail, type LogAddress } from "./log-address";
import { linesOf, startOfTail } from "./log-part";

const BYTES = 8 * 1024;
const LINES = 12;

/** Returns the last lines of a log as plain text. A progress bar is reduced to its current state. */
export async function lastLines(log: LogAddress, signal?: AbortSignal): Promise<string[]> {
  const { from, bytes } = await readTail(log, BYTES, signal);
  const start = startOfTail(bytes, from);
  return linesOf(bytes.subarray(start), from + start).slice(-LINES).map((line) => plain(line.text));
}
