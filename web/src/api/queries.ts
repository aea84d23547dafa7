import { QueryClient } from "@tanstack/react-query";
import { isTransient } from "./error";

const LONGEST_PAUSE = 5_000;

/**
 * Creates the query client. Queries are retried while the server is unreachable, so that an open page
 * recovers by itself. Mutations are not retried because the first request may have succeeded.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (_, error) => isTransient(error),
        retryDelay: (failures) => Math.min(LONGEST_PAUSE, 500 * 2 ** failures),
        networkMode: "always",
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
