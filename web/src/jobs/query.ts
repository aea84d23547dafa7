import type { JobsView } from "./view";

const DAY = 86_400_000;

/** What the server is asked for a view, without its page. */
export function queryOf(view: JobsView, me: string): Record<string, string> {
  return {
    user: view.scope === "mine" ? me : view.users.join(","),
    state: view.states.join(","),
    virtualCluster: view.clusters.join(","),
    tag: view.tags.join(","),
    keyword: view.keyword,
    since: view.days === null ? "" : new Date(Date.now() - view.days * DAY).toISOString(),
    sort: view.sort,
  };
}

export function pageQuery(view: JobsView, me: string) {
  return { ...queryOf(view, me), offset: (view.page - 1) * view.size, limit: view.size, total: true };
}
