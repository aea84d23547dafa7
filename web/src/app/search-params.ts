import { useCallback, useMemo } from "react";
import { navigate, useSearch } from "wouter/use-browser-location";

type Values = URLSearchParams | Readonly<Record<string, string>>;
type Change = Values | ((before: URLSearchParams) => Values);

/**
 * What stands behind the question mark of the address, and how to change it. Not the router's own
 * hook, which decodes it as a whole before it is taken apart: a keyword with an & would be two.
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
