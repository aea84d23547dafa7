import { App } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSayError } from "../api/ErrorAlert";

interface After<R, V> {
  /** First words of the keys that are to be read anew. */
  readonly about: readonly string[];
  readonly said?: string;
  readonly then?: (result: R, given: V) => void;
}

/** Something that changes the server; says how it went and reads anew what it was about. */
export function useChange<V = void, R = unknown>(run: (given: V) => Promise<R>, after: After<R, V>) {
  const client = useQueryClient();
  const sayError = useSayError();
  const { message } = App.useApp();
  return useMutation({
    mutationFn: run,
    onSuccess: async (result, given) => {
      if (after.said) {
        void message.success(after.said);
      }
      after.then?.(result, given);
      await refresh(client, after.about);
    },
    onError: (error) => {
      void message.error(sayError(error), 6);
      void refresh(client, after.about);
    },
  });
}

type Client = ReturnType<typeof useQueryClient>;

export function refresh(client: Client, about: readonly string[]): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [first] }) => about.includes(String(first)) });
}
