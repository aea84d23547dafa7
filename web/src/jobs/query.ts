import { endOfDay, millisOf } from "../components/dates";
import type { JobsView } from "./view";

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Returns the query parameters of the API for a view, without its page. */
export function queryOf(view: JobsView): Record<string, string> {
  return {
    scope: view.scope === "mine" ? "own" : view.scope,
    user: view.scope === "mine" ? "" : view.users.join(","),
    state: view.states.join(","),
    virtualCluster: view.clusters.join(","),
    tag: view.tags.join(","),
    keyword: view.keyword,
    ...times(view),
    sort: view.sort,
  };
}

function times({ days, range }: JobsView): { since: string; until: string } {
  const text = (millis: number) => new Date(millis).toISOString();
  if (range) {
    return { since: range.since && text(millisOf(range.since)), until: range.until && text(endOfDay(range.until)) };
  }
  // Rounded to the minute, so that the prefetched request and the later one are the same.
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  return { since: days === null ? "" : text(now - days * DAY), until: "" };
}

export function pageQuery(view: JobsView) {
  return { ...queryOf(view), offset: (view.page - 1) * view.size, limit: view.size, total: true };
}
