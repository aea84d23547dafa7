import type { JobState, Responses } from "./description";

export type { Event as JobEvent, JobState, ListedJob as JobListItem } from "./description";
export type Me = Responses["me"];

/** Returns whether the user may change the job; shared jobs of other users are read-only. */
export function mayChange(me: Me, job: { readonly user: string }): boolean {
  return me.admin || me.user === job.user;
}

export const unfinished: readonly JobState[] = ["WAITING", "PREPARING", "RUNNING", "STOPPING", "PAUSED"];

export function isFinished(state: JobState): boolean {
  return !unfinished.includes(state);
}
