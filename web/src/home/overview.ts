import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Responses } from "../api/description";

export type { Announcement } from "../api/description";
export type Overview = Responses["showHome"];

/** Returns the query of the home page. Its key starts with "jobs" so that job events refresh the query. */
export function useOverview() {
  return useQuery({
    queryKey: ["jobs", "overview"],
    queryFn: ({ signal }) => api.get<"showHome">("/home", { signal }),
    refetchInterval: 30_000,
  });
}
