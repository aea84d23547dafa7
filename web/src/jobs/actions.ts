import { api } from "../api/client";
import { ApiError } from "../api/error";
import type { JobListItem } from "../api/types";

export type Action = { readonly action: "stop" | "delete" } | { readonly action: "tag"; readonly tag: string };

/** Result of an action on several jobs; a failure for one job does not affect the others. */
export interface Outcome {
  readonly done: number;
  readonly failures: readonly { readonly job: JobListItem; readonly error: unknown }[];
}

const BATCH_SIZE = 500;

export async function forEach(jobs: readonly JobListItem[], action: Action): Promise<Outcome> {
  const failures: { job: JobListItem; error: unknown }[] = [];
  for (let from = 0; from < jobs.length; from += BATCH_SIZE) {
    const some = jobs.slice(from, from + BATCH_SIZE);
    const { results } = await api.post<"changeJobs">("/jobs/batch", { ...action, jobs: some.map((job) => job.id) });
    some.forEach((job, i) => {
      const result = results[i];
      if (!result?.ok) {
        failures.push({ job, error: new ApiError(409, result?.error ?? {}, null) });
      }
    });
  }
  return { done: jobs.length - failures.length, failures };
}
