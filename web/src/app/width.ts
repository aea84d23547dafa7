import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 767px)");

/** Returns whether the window is about as wide as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrow.addEventListener("change", changed);
      return () => narrow.removeEventListener("change", changed);
    },
    () => narrow.matches,
  );
}
