import { App } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useErrorText } from "../api/ErrorAlert";

interface After<R, V> {
  /** First elements of the query keys to refresh. */
  readonly about: readonly string[];
  readonly successText?: string;
  readonly then?: (result: R, given: V) => void;
}

/** A mutation that reports its result and refreshes the affected queries. */
export function useChange<V = void, R = unknown>(run: (given: V) => Promise<R>, after: After<R, V>) {
  const client = useQueryClient();
  const errorText = useErrorText();
  const { message } = App.useApp();
  return useMutation({
    mutationFn: run,
    onSuccess: async (result, given) => {
      if (after.successText) {
        void message.success(after.successText);
      }
      after.then?.(result, given);
      await refresh(client, after.about);
    },
    onError: (error) => {
      void message.error(errorText(error), 6);
      void refresh(client, after.about);
    },
  });
}

type Client = ReturnType<typeof useQueryClient>;

export function refresh(client: Client, about: readonly string[]): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [first] }) => about.includes(String(first)) });
}
