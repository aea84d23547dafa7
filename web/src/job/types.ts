import type { JobListItem } from "../api/types";
import type { ServerMessage } from "../api/messages";

/** API responses about one job; docs/api.md describes every field. */
export type TaskState = "ASSIGNED" | "STARTING" | "RUNNING" | "STOPPING" | "ENDED";

export interface Task {
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly retry: number;
  readonly state: TaskState;
  readonly exitCode: number | null;
  readonly exitReason: string | null;
  readonly detail: string | null;
  readonly node: string;
  readonly engine: string;
  readonly devices: readonly number[];
  readonly address: string | null;
  readonly ports: Readonly<Record<string, readonly number[]>>;
  readonly started: number | null;
  readonly ended: number | null;
}

export interface Diagnosis {
  readonly exit: string;
  readonly phrase: ServerMessage;
  readonly cause: ServerMessage;
  readonly advice: ServerMessage;
  readonly reactionText: ServerMessage;
  readonly role: string;
  readonly index: number;
  readonly lines: readonly DiagnosisLine[];
}

export interface DiagnosisLine {
  readonly stream: Stream;
  readonly offset: number;
  readonly number: number | null;
  readonly text: string;
}

export type Stream = "stdout" | "stderr";

export interface Attempt {
  readonly number: number;
  readonly cause: string;
  readonly created: number;
  readonly started: number | null;
  readonly ended: number | null;
  readonly succeeded: boolean | null;
  readonly exitCode: number | null;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly reasonParams: Readonly<Record<string, unknown>> | null;
  readonly diagnosis: Diagnosis | null;
  readonly stopCause: string | null;
  readonly stoppedBy: string | null;
}

export interface Job extends JobListItem {
  readonly tags: readonly string[];
  readonly notices: readonly ServerMessage[];
  readonly tasks: readonly Task[];
  readonly tasksNext?: number;
  readonly taskStates: Readonly<Record<string, Readonly<Partial<Record<TaskState, number>>>>>;
  readonly isolation: Readonly<Record<string, string>> | null;
  readonly diagnosis: Diagnosis | null;
  readonly attempts: readonly Attempt[];
  readonly images: readonly { readonly image: string; readonly reference: string; readonly id: string }[];
}

export function taskName(task: { readonly role: string; readonly index: number }): string {
  return `${task.role}-${task.index}`;
}

/** Parses a task name: `worker-gpu-3` has the role `worker-gpu` and the index 3. */
export function taskOf(name: string): { readonly role: string; readonly index: number } {
  const at = name.lastIndexOf("-");
  return { role: name.slice(0, at), index: Number(name.slice(at + 1)) || 0 };
}
