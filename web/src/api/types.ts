import type { ServerMessage } from "./messages";

/** API responses that several features use; docs/api.md describes every field. */
export interface Me {
  readonly user: string;
  readonly admin: boolean;
  /** Whether a group of the user shares the jobs of its members. */
  readonly team: boolean;
}

/** Returns whether the user may change the job; shared jobs of other users are read-only. */
export function mayChange(me: Me, job: { readonly user: string }): boolean {
  return me.admin || me.user === job.user;
}

export type JobState =
  | "WAITING"
  | "PREPARING"
  | "RUNNING"
  | "STOPPING"
  | "PAUSED"
  | "SUCCEEDED"
  | "FAILED"
  | "STOPPED";

/** A job in a list. */
export interface JobListItem {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly state: JobState;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly reasonParams: Readonly<Record<string, unknown>> | null;
  readonly exitCode: number | null;
  readonly attempt: number;
  readonly format: string;
  readonly image: string | null;
  readonly virtualCluster: string;
  readonly priority: string | null;
  readonly cpus: number;
  readonly memoryMB: number;
  readonly devices: number;
  readonly taskCount: number;
  readonly submitted: number;
  readonly started: number | null;
  readonly ended: number | null;
  readonly stopCause: string | null;
  readonly stoppedBy: string | null;
  readonly retries: number;
  readonly tags?: readonly string[];
}

/** An event of a job; see "Events" in docs/api.md. */
export interface JobEvent extends ServerMessage {
  readonly id: number;
  readonly time: number;
  readonly job: string;
  readonly user: string;
  readonly name: string;
  readonly type: string;
  readonly warning: boolean;
  readonly attempt: number;
  readonly role: string | null;
  readonly index: number | null;
}

export const unfinished: readonly JobState[] = ["WAITING", "PREPARING", "RUNNING", "STOPPING", "PAUSED"];

export function isFinished(state: JobState): boolean {
  return !unfinished.includes(state);
}
