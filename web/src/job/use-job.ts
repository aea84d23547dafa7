import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, path } from "../api/client";
import type { Task } from "./types";

/** Prefix of all query keys of a job; events refresh these queries. */
const key = (id: string, ...rest: unknown[]) => ["job", id, ...rest];
const PAGE = 50;

export function useJob(id: string) {
  return useQuery({ queryKey: key(id), queryFn: ({ signal }) => api.get<"showJob">(path`/jobs/${id}`, { signal }) });
}

/** One page of the tasks of an attempt. */
export function useTasks(id: string, attempt: number, page: number, size = PAGE) {
  return useQuery({
    queryKey: key(id, "tasks", attempt, page, size),
    queryFn: ({ signal }) =>
      api.get<"listTasks">(path`/jobs/${id}/tasks`, {
        query: { attempt, offset: (page - 1) * size, limit: size },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: attempt > 0,
  });
}

export function useRuns(id: string, task: Task) {
  return useQuery({
    queryKey: key(id, "runs", task.attempt, task.role, task.index),
    queryFn: ({ signal }) =>
      api.get<"listRuns">(path`/jobs/${id}/tasks/${task.role}/${task.index}/runs`, {
        query: { attempt: task.attempt },
        signal,
      }),
  });
}

export function useAttempts(id: string) {
  return useInfiniteQuery({
    queryKey: key(id, "attempts"),
    queryFn: ({ pageParam, signal }) =>
      api.get<"listAttempts">(path`/jobs/${id}/attempts`, { query: { after: pageParam, limit: PAGE }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? null,
  });
}

export function useJobEvents(id: string) {
  return useInfiniteQuery({
    queryKey: key(id, "events"),
    queryFn: ({ pageParam, signal }) =>
      api.get<"listEventsOfJob">(path`/jobs/${id}/events`, { query: { after: pageParam, limit: 100 }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? null,
  });
}

/** The job file never changes. */
export function useConfig(id: string | null) {
  return useQuery({
    queryKey: ["config", id],
    queryFn: async ({ signal }) => (await api.raw("GET", path`/jobs/${id ?? ""}/config`, undefined, { signal })).text(),
    staleTime: Infinity,
    enabled: id !== null,
  });
}
