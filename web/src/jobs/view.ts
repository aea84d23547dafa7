import { useCallback, useMemo } from "react";
import type { JobState } from "../api/types";
import { useSearchParams } from "../app/search-params";
import type { Days } from "../components/DayRange";
import { dayOf } from "../components/dates";

/** The user's own jobs, also those that the user's groups share, or all jobs that the user may see. */
export type Scope = "mine" | "team" | "all";

const scopes: readonly Scope[] = ["mine", "team", "all"];

/** Filters, order and page of the list; stored in the URL so that users can share a link. */
export interface JobsView {
  readonly scope: Scope;
  readonly states: readonly JobState[];
  readonly users: readonly string[];
  readonly clusters: readonly string[];
  readonly tags: readonly string[];
  readonly keyword: string;
  /** Submitted within this number of days; null if unrestricted or if `range` is set. */
  readonly days: number | null;
  readonly range: Days | null;
  /** Sort column, with `-` for descending order, such as `-submitted`. */
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
      // A changed filter starts at the first page.
      const next = { ...view, ...("page" in part ? {} : { page: 1 }), ...part };
      setSearch(write(next), { replace: true });
    },
    [view, setSearch],
  );
  return [view, change];
}

export function hasFilters(view: JobsView): boolean {
  return view.states.length + view.users.length + view.clusters.length + view.tags.length > 0 || view.keyword !== "" || view.days !== null || view.range !== null;
}

export const noFilters: Partial<JobsView> = { states: [], users: [], clusters: [], tags: [], keyword: "", days: null, range: null };

export function read(search: URLSearchParams): JobsView {
  const list = (name: string) => (search.get(name) ?? "").split(",").filter(Boolean);
  const number = (name: string, otherwise: number, most: number) => {
    const value = Number(search.get(name) ?? otherwise);
    return Number.isInteger(value) && value >= 1 && value <= most ? value : otherwise;
  };
  return {
    scope: scopes.find((one) => one === search.get("scope")) ?? "mine",
    states: list("state") as JobState[],
    users: list("user"),
    clusters: list("vc"),
    tags: list("tag"),
    keyword: search.get("q") ?? "",
    days: search.has("days") ? number("days", 30, 3650) : null,
    range: search.has("since") || search.has("until") ? { since: dayOf(search.get("since")), until: dayOf(search.get("until")) } : null,
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
  if (view.range) {
    // Set even if both are empty, so that the fields for the days stay visible.
    search.set("since", view.range.since);
    search.set("until", view.range.until);
  }
  put("sort", view.sort, FIRST_SORT);
  put("page", String(view.page), "1");
  put("size", String(view.size), String(FIRST_SIZE));
  return search;
}
