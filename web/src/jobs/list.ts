import { keepPreviousData, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { JobEvent, JobLine, JobState, Me } from "../api/types";
import { useEvents } from "../events/connection";
import { pageQuery } from "./query";
import type { JobsView } from "./view";

export interface JobList {
  readonly jobs: readonly JobLine[];
  readonly total: number;
  /** What was asked for; while another view is on its way, this is still the one before. */
  readonly view: JobsView;
}

const COLLEAGUES = 5_000;

/** A page of jobs that follows what happens: known rows change at once, the list soon after. */
export function useJobList(view: JobsView, me: Me) {
  const client = useQueryClient();
  useEvents((events) => patchLists(client, events));
  return useQuery({
    queryKey: ["jobs", "list", view, me.user],
    queryFn: async ({ signal }): Promise<JobList> => {
      const page = await api.get<Omit<JobList, "view">>("/jobs", { query: pageQuery(view), signal });
      return { ...page, view };
    },
    placeholderData: keepPreviousData,
    // Events tell of one's own jobs only, unless one is an administrator. Only in tabs that are seen.
    refetchInterval: view.scope === "mine" || me.admin ? false : COLLEAGUES,
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

/** Rows that no event is about stay the same objects, so that they are not drawn again. */
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

function patched(job: JobLine, event: JobEvent | undefined): JobLine {
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
    started: state === "RUNNING" ? (job.started ?? event.time) : job.started,
    ended: over ? event.time : null,
  };
}
