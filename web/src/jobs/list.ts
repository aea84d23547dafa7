import { keepPreviousData, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { JobEvent, JobListItem, JobState, Me } from "../api/types";
import { useEvents } from "../events/connection";
import { pageQuery } from "./query";
import type { JobsView } from "./view";

export interface JobList {
  readonly jobs: readonly JobListItem[];
  readonly total: number;
  /** The view that these jobs belong to; the previous view while the jobs of a new view are loading. */
  readonly view: JobsView;
}

const SHARED_JOBS_INTERVAL = 5_000;

/** One page of jobs, kept up to date with events: rows change immediately, the list is refreshed soon after. */
export function useJobList(view: JobsView, me: Me) {
  const client = useQueryClient();
  useEvents((events) => patchLists(client, events));
  return useQuery({
    queryKey: ["jobs", "list", view, me.user],
    queryFn: async ({ signal }): Promise<JobList> => {
      const { jobs, total = 0 } = await api.get<"listJobs">("/jobs", { query: pageQuery(view), signal });
      return { jobs, total, view };
    },
    placeholderData: keepPreviousData,
    // Events cover only the user's own jobs, except for administrators; the query library polls only in visible tabs.
    refetchInterval: view.scope === "mine" || me.admin ? false : SHARED_JOBS_INTERVAL,
  });
}

const stateAfter: Readonly<Record<string, JobState>> = {
  SUBMITTED: "WAITING",
  PREPARING: "PREPARING",
  RUNNING: "RUNNING",
  STOPPING: "STOPPING",
  PAUSED: "PAUSED",
  RESUMED: "WAITING",
  RETRYING: "WAITING",
  SUCCEEDED: "SUCCEEDED",
  FAILED: "FAILED",
  STOPPED: "STOPPED",
};

/** Updates the rows that events affect; other rows stay the same objects, so that they are not rendered again. */
function patchLists(client: QueryClient, events: readonly JobEvent[]): void {
  const newest = new Map<string, JobEvent>();
  for (const event of events) {
    if (stateAfter[event.type]) {
      newest.set(event.job, event);
    }
  }
  client.setQueriesData<JobList>({ queryKey: ["jobs", "list"] }, (list) => {
    if (!list?.jobs.some((job) => newest.has(job.id))) {
      return list;
    }
    return { ...list, jobs: list.jobs.map((job) => patched(job, newest.get(job.id))) };
  });
}

function patched(job: JobListItem, event: JobEvent | undefined): JobListItem {
  const state = event && stateAfter[event.type];
  if (!event || !state || state === job.state) {
    return job;
  }
  const over = state === "SUCCEEDED" || state === "FAILED" || state === "STOPPED";
  return {
    ...job,
    state,
    reason: null,
    reasonCode: null,
    neverFits: false,
    failure: null,
    started: state === "RUNNING" ? (job.started ?? event.time) : job.started,
    ended: over ? event.time : null,
  };
}
