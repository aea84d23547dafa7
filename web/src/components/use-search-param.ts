import { useCallback } from "react";
import { useSearchParams } from "../app/search-params";

/** Returns one query parameter of the URL, such as a tab or a filter (empty if absent), and a setter. */
export function useSearchParam(name: string): [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (value) {
            after.set(name, value);
          } else {
            after.delete(name);
          }
          return after;
        },
        { replace: true },
      ),
    [name, setSearch],
  );
  return [search.get(name) ?? "", set];
}
