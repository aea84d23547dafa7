import { address, api, path, type Options } from "../../api/client";
import type { Responses } from "../../api/description";
import type { Stream } from "../types";

/** One stream of one run of a task. */
export interface LogAddress {
  readonly job: string;
  readonly role: string;
  readonly index: number;
  readonly stream: Stream;
  readonly attempt?: number | undefined;
  readonly retry?: number | undefined;
}

export type LineCount = Responses["countLogLines"];

function of(log: LogAddress): string {
  return path`/jobs/${log.job}/logs/${log.role}/${log.index}/${log.stream}`;
}

function run(log: LogAddress) {
  return { attempt: log.attempt, retry: log.retry };
}

export async function readBytes(log: LogAddress, from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
  const query = { ...run(log), offset: from, limit: Math.max(0, to - from) };
  const answer = await api.raw("GET", of(log), undefined, options(query, signal));
  return new Uint8Array(await answer.arrayBuffer());
}

/** Reads the last bytes of a log; also returns their offset. */
export async function readTail(log: LogAddress, bytes: number, signal?: AbortSignal) {
  const answer = await api.raw("GET", of(log), undefined, options({ ...run(log), offset: -bytes, limit: bytes }, signal));
  return {
    from: Number(answer.headers.get("X-Log-Offset") ?? 0),
    bytes: new Uint8Array(await answer.arrayBuffer()),
  };
}

export function countLines(log: LogAddress, from: number, signal?: AbortSignal): Promise<LineCount> {
  return api.get<"countLogLines">(`${of(log)}/lines`, options({ ...run(log), offset: from }, signal));
}

/** Finds the offsets of lines that contain one of the texts; if `end` is less than `length`, there may be more matches. */
export function findLines(
  log: LogAddress,
  texts: readonly string[],
  given: { from: number; limit: number; exact?: boolean; signal?: AbortSignal },
): Promise<Responses["searchLog"]> {
  const textParams = texts.map((text) => `text=${encodeURIComponent(text)}`).join("&");
  const query = { ...run(log), offset: given.from, limit: given.limit, case: given.exact ?? false };
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return api.get<"searchLog">(`${of(log)}/matches?${textParams}&${search}`, options({}, given.signal));
}

export function downloadAddress(log: LogAddress): string {
  return address(of(log), run(log));
}

function options(query: NonNullable<Options["query"]>, signal: AbortSignal | undefined): Options {
  return signal ? { query, signal } : { query };
}

export function fileName(log: LogAddress): string {
  return `${log.job.replaceAll("~", "-")}-${log.role}-${log.index}-${log.stream}.log`;
}

/** Returns the address of the page with a line of a log. */
export function linkTo(log: LogAddress, offset: number | undefined): string | null {
  if (offset === undefined) {
    return null;
  }
  const url = new URL(location.href);
  url.searchParams.set("task", `${log.role}-${log.index}`);
  url.searchParams.set("stream", log.stream);
  url.searchParams.set("at", String(offset));
  return url.toString();
}
