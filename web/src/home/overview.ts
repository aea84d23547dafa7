import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { JobListItem, JobState } from "../api/types";

export interface Announcement {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly level: "info" | "warning" | "critical";
  readonly created: number;
}

/** Amounts by resource; a missing value means no limit. */
export interface Amounts {
  readonly runningJobs?: number;
  readonly unfinishedJobs?: number;
  readonly cpus?: number;
  readonly memoryMB?: number;
  readonly devices?: number;
}

export interface Overview {
  readonly jobs: Readonly<Partial<Record<JobState, number>>>;
  readonly free: {
    readonly cpus: number;
    readonly totalCpus: number;
    readonly memoryMB: number;
    readonly totalMemoryMB: number;
    readonly devices: readonly { kind: string; model: string; free: number; total: number }[];
  };
  readonly waiting: number;
  readonly limits: { readonly limits: Amounts; readonly used: Amounts };
  readonly announcements: readonly Announcement[];
  readonly recent: readonly JobListItem[];
}

/** The key starts with "jobs" so that job events refresh it. */
export function useOverview() {
  return useQuery({
    queryKey: ["jobs", "overview"],
    queryFn: ({ signal }) => api.get<Overview>("/home", { signal }),
    refetchInterval: 30_000,
  });
}
