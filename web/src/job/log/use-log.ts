import { useEffect, useState } from "react";
import { ApiError, isTransient } from "../../api/error";
import { IndexedLog } from "./indexed-log";
import { MergedLog } from "./merged-log";

const SOON = 700;
const LATER = 3_000;
const AWAY = 2_000;
const QUIET = 10;

/**
 * Polls a log while it may grow. A permanent connection is not used because a browser allows only a few
 * connections per server, and because polling recovers by itself after the server was unreachable. When
 * the task has ended, the rest of the log is read once.
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
        if (error instanceof ApiError && !isTransient(error)) return;
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
