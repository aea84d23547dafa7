import { useEffect, useRef, useSyncExternalStore } from "react";
import type { JobEvent } from "../api/types";

/** Whether events arrive, and whoever wants to hear of them in this tab. */
let lost = false;
const watchers = new Set<() => void>();
const hearers = new Set<(events: readonly JobEvent[]) => void>();

export function connectionIs(state: "open" | "lost"): void {
  if (lost !== (state === "lost")) {
    lost = state === "lost";
    watchers.forEach((watcher) => watcher());
  }
}

export function announce(events: readonly JobEvent[]): void {
  hearers.forEach((hearer) => hearer(events));
}

export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => lost,
  );
}

/** For a page that does more with events than reading anew what has changed. */
export function useEvents(hear: (events: readonly JobEvent[]) => void): void {
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => {
    const hearer = (events: readonly JobEvent[]) => latest.current(events);
    hearers.add(hearer);
    return () => {
      hearers.delete(hearer);
    };
  }, []);
}
