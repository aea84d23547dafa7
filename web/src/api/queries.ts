import { QueryClient } from "@tanstack/react-query";
import { isPassing } from "./error";

const LONGEST_PAUSE = 5_000;

/**
 * Reads are repeated as long as the server can't be reached: an open page recovers by itself.
 * Changes are not, as nobody can tell whether the first one arrived.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (_, error) => isPassing(error),
        retryDelay: (failures) => Math.min(LONGEST_PAUSE, 500 * 2 ** failures),
        networkMode: "always",
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
