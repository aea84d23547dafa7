import { useEffect, useRef, useSyncExternalStore } from "react";
import type { JobEvent } from "../api/types";

/** State of the event connection and the listeners in this tab. */
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

/** Calls `hear` for new events, for pages that do more than refresh their queries. */
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
