import { useEffect, useState } from "react";
import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Check } from "../api/description";

export type { Check };

const DEBOUNCE = 400;
const PLAIN = { headers: { "Content-Type": "text/plain; charset=utf-8" } };

export function check(text: string, signal?: AbortSignal): Promise<Check> {
  return api.post<"checkJob">("/jobs/check", text, signal ? { ...PLAIN, signal } : PLAIN);
}

/** Checks the text when the user stops typing; the previous result stays until the new one arrives. */
export function useCheck(text: string): { readonly found: Check | undefined; readonly checkedText: string } {
  const checked = useDebounced(text);
  const query = useQuery({
    queryKey: ["job-check", checked],
    queryFn: async ({ signal }) => ({ of: checked, found: await check(checked, signal) }),
    enabled: checked.trim() !== "",
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    refetchOnWindowFocus: false,
  });
  return { found: query.data?.found, checkedText: query.data?.of ?? "" };
}

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
