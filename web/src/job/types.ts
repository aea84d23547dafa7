import type { Diagnosis } from "../api/description";

export type { Attempt, Diagnosis, Job, Task, TaskState } from "../api/description";
export type Stream = Diagnosis["lines"][number]["stream"];

export function taskName(task: { readonly role: string; readonly index: number }): string {
  return `${task.role}-${task.index}`;
}

/** Parses a task name: `worker-gpu-3` has the role `worker-gpu` and the index 3. */
export function taskOf(name: string): { readonly role: string; readonly index: number } {
  const at = name.lastIndexOf("-");
  return { role: name.slice(0, at), index: Number(name.slice(at + 1)) || 0 };
}
