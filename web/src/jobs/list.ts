import { keepPreviousData, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { JobEvent, JobLine, JobState } from "../api/types";
import { useEvents } from "../events/connection";
import { pageQuery } from "./query";
import type { JobsView } from "./view";

export interface JobList {
  readonly jobs: readonly JobLine[];
  readonly total: number;
}

/** A page of jobs that follows what happens: known rows change at once, the list soon after. */
export function useJobList(view: JobsView, me: string) {
  const client = useQueryClient();
  useEvents((events) => patchLists(client, events));
  return useQuery({
    queryKey: ["jobs", "list", view, me],
    queryFn: ({ signal }) =>
      api.get<JobList>("/jobs", {
        query: pageQuery(view, me),
        signal,
      }),
    placeholderData: keepPreviousData,
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
