import { useCallback, useMemo } from "react";
import { navigate, useSearch } from "wouter/use-browser-location";

type Values = URLSearchParams | Readonly<Record<string, string>>;
type Change = Values | ((before: URLSearchParams) => Values);

/**
 * Returns the query parameters of the URL and a function that changes them. The router's own hook is
 * not used because it decodes the query before splitting it: a value with an & would become two.
 */
export function useSearchParams(): [URLSearchParams, (change: Change, options?: { replace?: boolean }) => void] {
  const search = useSearch();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback((next: Change, options?: { replace?: boolean }) => {
    const { pathname, search: now } = window.location;
    const values = typeof next === "function" ? next(new URLSearchParams(now)) : next;
    const after = new URLSearchParams(values).toString();
    navigate(pathname + (after ? `?${after}` : ""), options);
  }, []);
  return [params, change];
}
