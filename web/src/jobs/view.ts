import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { JobState } from "../api/types";

/** Which jobs are shown, and how: all of it in the address, so that it can be sent to somebody. */
export interface JobsView {
  readonly scope: "mine" | "all";
  readonly states: readonly JobState[];
  readonly users: readonly string[];
  readonly clusters: readonly string[];
  readonly tags: readonly string[];
  readonly keyword: string;
  /** Submitted within so many days; null for any time. */
  readonly days: number | null;
  /** Such as `-submitted`: the newest first. */
  readonly sort: string;
  readonly page: number;
  readonly size: number;
}

export const FIRST_SORT = "-submitted";
export const FIRST_SIZE = 50;

export function useJobsView(): [JobsView, (change: Partial<JobsView>) => void] {
  const [search, setSearch] = useSearchParams();
  const view = useMemo(() => read(search), [search]);
  const change = useCallback(
    (part: Partial<JobsView>) => {
      // Another filter shows other jobs, so it begins at their first page.
      const next = { ...view, ...("page" in part ? {} : { page: 1 }), ...part };
      setSearch(write(next), { replace: true });
    },
    [view, setSearch],
  );
  return [view, change];
}

export function hasFilters(view: JobsView): boolean {
  return view.states.length + view.users.length + view.clusters.length + view.tags.length > 0 || view.keyword !== "" || view.days !== null;
}

export const noFilters: Partial<JobsView> = { states: [], users: [], clusters: [], tags: [], keyword: "", days: null };

export function read(search: URLSearchParams): JobsView {
  const list = (name: string) => (search.get(name) ?? "").split(",").filter(Boolean);
  const number = (name: string, otherwise: number, most: number) => {
    const value = Number(search.get(name) ?? otherwise);
    return Number.isInteger(value) && value >= 1 && value <= most ? value : otherwise;
  };
  return {
    scope: search.get("scope") === "all" ? "all" : "mine",
    states: list("state") as JobState[],
    users: list("user"),
    clusters: list("vc"),
    tags: list("tag"),
    keyword: search.get("q") ?? "",
    days: search.has("days") ? number("days", 30, 3650) : null,
    sort: search.get("sort") ?? FIRST_SORT,
    page: number("page", 1, 1_000_000),
    size: number("size", FIRST_SIZE, 100),
  };
}

function write(view: JobsView): URLSearchParams {
  const search = new URLSearchParams();
  const put = (name: string, value: string, otherwise: string) => value !== otherwise && search.set(name, value);
  put("scope", view.scope, "mine");
  put("state", view.states.join(","), "");
  put("user", view.users.join(","), "");
  put("vc", view.clusters.join(","), "");
  put("tag", view.tags.join(","), "");
  put("q", view.keyword, "");
  put("days", String(view.days ?? ""), "");
  put("sort", view.sort, FIRST_SORT);
  put("page", String(view.page), "1");
  put("size", String(view.size), String(FIRST_SIZE));
  return search;
}
