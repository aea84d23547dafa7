import type { QueryClient } from "@tanstack/react-query";
import type { JobEvent } from "../api/types";

/** Shortest intervals between refreshes, so that a thousand changed jobs cause one request, not a thousand. */
const LIST_INTERVAL = 1_500;
const JOB_INTERVAL = 400;

/**
 * Refreshes the queries that events affect. Query keys start with their subject: `["jobs", …]` for
 * lists and aggregates of jobs, `["job", id, …]` for data of one job.
 */
export class Refresher {
  private readonly client: QueryClient;
  private readonly changed = new Set<string>();
  private lists: ReturnType<typeof setTimeout> | undefined;
  private single: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.client = client;
  }

  onEvents(events: readonly JobEvent[]): void {
    for (const event of events) {
      this.changed.add(event.job);
      this.changed.add(`${event.user}~${event.name}`);
    }
    this.single ??= setTimeout(() => this.refreshJobs(), JOB_INTERVAL);
    this.lists ??= setTimeout(() => this.refreshLists(), LIST_INTERVAL);
  }

  /** Refreshes all jobs, because after a gap in the events it is unknown what has changed. */
  refreshAll(): void {
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
