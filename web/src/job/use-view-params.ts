import { useCallback } from "react";
import { useSearchParams } from "../app/search-params";

type Change = Readonly<Record<string, string | null>>;

/** Returns the query parameters of the job page and a function that changes them: `change({ tab: "logs", task: null })`. */
export function useViewParams(): [URLSearchParams, (change: Change, push?: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (wanted: Change, push = false) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(wanted)) {
            if (value === null) {
              after.delete(name);
            } else {
              after.set(name, value);
            }
          }
          return after;
        },
        { replace: !push },
      ),
    [setParams],
  );
  return [params, change];
}
