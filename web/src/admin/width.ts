import { useSyncExternalStore } from "react";

const medium = matchMedia("(max-width: 1023px)");

/** Returns whether the window is too narrow for a second menu. */
export function useIsMedium(): boolean {
  return useSyncExternalStore(
    (changed) => {
      medium.addEventListener("change", changed);
      return () => medium.removeEventListener("change", changed);
    },
    () => medium.matches,
  );
}
