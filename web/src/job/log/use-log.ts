import { useEffect, useState } from "react";
import { ApiError, isPassing } from "../../api/error";
import { IndexedLog } from "./indexed-log";
import { MergedLog } from "./merged-log";

const SOON = 700;
const LATER = 3_000;
const AWAY = 2_000;
const QUIET = 10;

/**
 * Looks at a log again and again as long as it may grow: a connection that stays open would be one
 * of the few a browser allows, and this recovers by itself when the server was away. What was
 * printed at the very end is read when it has ended.
 */
export function useLooking(log: IndexedLog | MergedLog, growing: boolean): unknown {
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    let quiet = 0;
    const look = async () => {
      let pause = LATER;
      try {
        if (!growing) {
          await log.readOut();
        } else if (document.visibilityState === "visible" || quiet === 0) {
          quiet = (await log.look()) ? 0 : quiet + 1;
        }
        pause = quiet < QUIET ? SOON : LATER;
        if (!over) setFailure(null);
      } catch (error) {
        if (over) return;
        setFailure(error);
        if (error instanceof ApiError && !isPassing(error)) return;
        pause = AWAY;
        quiet = 0;
      }
      if (!over && (growing || pause === AWAY)) {
        timer = setTimeout(() => void look(), pause);
      }
    };
    void look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [log, growing]);
  return failure;
}
