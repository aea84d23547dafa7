import type { QueryClient } from "@tanstack/react-query";
import type { JobEvent } from "../api/types";

/** Not more often than this: a thousand jobs that change make one request, not a thousand. */
const LISTS = 1_500;
const JOB = 400;

/**
 * Reads anew what events have changed. Keys begin with what they are about: `["jobs", …]` any list
 * or sum over jobs, `["job", id, …]` everything of one job.
 */
export class Refresher {
  private readonly client: QueryClient;
  private readonly changed = new Set<string>();
  private lists: ReturnType<typeof setTimeout> | undefined;
  private single: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.client = client;
  }

  heard(events: readonly JobEvent[]): void {
    for (const event of events) {
      this.changed.add(event.job);
      this.changed.add(`${event.user}~${event.name}`);
    }
    this.single ??= setTimeout(() => this.refreshJobs(), JOB);
    this.lists ??= setTimeout(() => this.refreshLists(), LISTS);
  }

  /** After a gap nobody knows what has changed. */
  everything(): void {
    void this.client.invalidateQueries({ predicate: ({ queryKey: [about] }) => about === "jobs" || about === "job" });
  }

  stop(): void {
    clearTimeout(this.lists);
    clearTimeout(this.single);
  }

  private refreshJobs(): void {
    this.single = undefined;
    const changed = new Set(this.changed);
    this.changed.clear();
    void this.client.invalidateQueries({
      predicate: ({ queryKey: [about, job] }) => about === "job" && changed.has(String(job)),
    });
  }

  private refreshLists(): void {
    this.lists = undefined;
    void this.client.invalidateQueries({ queryKey: ["jobs"] });
  }
}
