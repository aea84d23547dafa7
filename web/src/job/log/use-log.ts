import { useEffect, useState } from "react";
import { ApiError, isTransient } from "../../api/error";
import { IndexedLog } from "./indexed-log";
import { MergedLog } from "./merged-log";

const ACTIVE_INTERVAL = 700;
const IDLE_INTERVAL = 3_000;
const ERROR_INTERVAL = 2_000;
const IDLE_AFTER = 10;

/**
 * Polls a log while it may grow. A permanent connection is not used because a browser allows only a few
 * connections per server, and because polling recovers by itself after the server was unreachable. When
 * the task has ended, the rest of the log is read once.
 */
export function useLogPolling(log: IndexedLog | MergedLog, growing: boolean): unknown {
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    let unchanged = 0;
    const poll = async () => {
      let pause = IDLE_INTERVAL;
      try {
        if (!growing) {
          await log.readToEnd();
        } else if (document.visibilityState === "visible" || unchanged === 0) {
          unchanged = (await log.poll()) ? 0 : unchanged + 1;
        }
        pause = unchanged < IDLE_AFTER ? ACTIVE_INTERVAL : IDLE_INTERVAL;
        if (!stopped) setFailure(null);
      } catch (error) {
        if (stopped) return;
        setFailure(error);
        if (error instanceof ApiError && !isTransient(error)) return;
        pause = ERROR_INTERVAL;
        unchanged = 0;
      }
      if (!stopped && (growing || pause === ERROR_INTERVAL)) {
        timer = setTimeout(() => void poll(), pause);
      }
    };
    void poll();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [log, growing]);
  return failure;
}
