import { api, path } from "../api/client";
import type { JobLine } from "../api/types";

/** What is done to many jobs: each by itself, a few at a time. */
export interface Outcome {
  readonly done: number;
  readonly failures: readonly { readonly job: JobLine; readonly error: unknown }[];
}

const AT_ONCE = 4;

export const stopJob = (job: JobLine) => api.post(path`/jobs/${job.id}/stop`);
export const removeJob = (job: JobLine) => api.delete(path`/jobs/${job.id}`);
export const tagJob = (tag: string) => (job: JobLine) => api.put(path`/jobs/${job.id}/tags/${tag}`);

export async function forEach(jobs: readonly JobLine[], act: (job: JobLine) => Promise<unknown>): Promise<Outcome> {
  const left = [...jobs];
  const failures: { job: JobLine; error: unknown }[] = [];
  const work = async () => {
    for (let job = left.shift(); job; job = left.shift()) {
      try {
        await act(job);
      } catch (error) {
        failures.push({ job, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done: jobs.length - failures.length, failures };
}
