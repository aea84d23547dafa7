import { useEffect, useRef, useSyncExternalStore } from "react";
import type { JobEvent } from "../api/types";

/** State of the event connection and the listeners in this tab. */
let lost = false;
const watchers = new Set<() => void>();
const eventListeners = new Set<(events: readonly JobEvent[]) => void>();

export function setConnectionState(state: "open" | "lost"): void {
  if (lost !== (state === "lost")) {
    lost = state === "lost";
    watchers.forEach((watcher) => watcher());
  }
}

export function announce(events: readonly JobEvent[]): void {
  eventListeners.forEach((eventListener) => eventListener(events));
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

/** Calls `listener` for new events, for pages that do more than refresh their queries. */
export function useEvents(listener: (events: readonly JobEvent[]) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const eventListener = (events: readonly JobEvent[]) => latest.current(events);
    eventListeners.add(eventListener);
    return () => {
      eventListeners.delete(eventListener);
    };
  }, []);
}
