import { useSyncExternalStore } from "react";
import { api } from "../api/client";
import type { Lines } from "../api/description";
import { ApiError } from "../api/error";

/** A pull of this window that is in progress or whose result has not been dismissed yet. */
export interface Pull {
  readonly id: number;
  readonly reference: string;
  readonly percent: number;
  readonly done: number;
  readonly total: number;
  readonly state: "running" | "done" | "failed" | "stopped" | "broken";
  readonly error: unknown;
}

let pulls: readonly Pull[] = [];
let count = 0;
const stops = new Map<number, AbortController>();
const watchers = new Set<() => void>();

export function usePulls(): readonly Pull[] {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => pulls,
  );
}

function change(id: number, news: Partial<Pull>): void {
  pulls = pulls.map((one) => (one.id === id ? { ...one, ...news } : one));
  watchers.forEach((watcher) => watcher());
}

export function stopPull(id: number): void {
  stops.get(id)?.abort();
}

export function dismissPull(id: number): void {
  pulls = pulls.filter((one) => one.id !== id);
  watchers.forEach((watcher) => watcher());
}

/** Starts a pull and resolves when the pull has ended. The server cancels the pull if this window is closed. */
export async function startPull(reference: string): Promise<void> {
  const id = ++count;
  const stop = new AbortController();
  stops.set(id, stop);
  pulls = [...pulls, { id, reference, percent: 0, done: 0, total: 0, state: "running", error: null }];
  watchers.forEach((watcher) => watcher());
  try {
    const answer = await api.raw("POST", "/local-images/pull", { reference }, { signal: stop.signal });
    let ended = false;
    for await (const line of lines(answer)) {
      if (line.error) {
        ended = true;
        change(id, { state: "failed", error: new ApiError(answer.status, line.error, null) });
      } else if (line.image) {
        ended = true;
        change(id, { state: "done", percent: 100 });
      } else {
        change(id, { percent: line.percent ?? 0, done: line.done ?? 0, total: line.total ?? 0 });
      }
    }
    if (!ended) {
      change(id, { state: "broken" });
    }
  } catch (error) {
    const refused = error instanceof ApiError;
    change(id, stop.signal.aborted ? { state: "stopped" } : { state: refused ? "failed" : "broken", error });
  } finally {
    stops.delete(id);
  }
}

async function* lines(answer: Response): AsyncGenerator<Lines["pullImage"]> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const whole = (rest + (value ?? "")).split("\n");
    rest = done ? "" : whole.pop()!;
    for (const line of whole) {
      if (line.trim()) {
        yield JSON.parse(line) as Lines["pullImage"];
      }
    }
    if (done) {
      return;
    }
  }
}
