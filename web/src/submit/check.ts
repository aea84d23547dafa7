import { useEffect, useState } from "react";
import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Check } from "../api/description";

export type { Check };

const PAUSE = 400;
const PLAIN = { headers: { "Content-Type": "text/plain; charset=utf-8" } };

export function check(text: string, signal?: AbortSignal): Promise<Check> {
  return api.post<"checkJob">("/jobs/check", text, signal ? { ...PLAIN, signal } : PLAIN);
}

/** Checks the text when the user stops typing; the previous result stays until the new one arrives. */
export function useCheck(text: string): { readonly found: Check | undefined; readonly isOf: string } {
  const checked = useSettled(text);
  const query = useQuery({
    queryKey: ["job-check", checked],
    queryFn: async ({ signal }) => ({ of: checked, found: await check(checked, signal) }),
    enabled: checked.trim() !== "",
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    refetchOnWindowFocus: false,
  });
  return { found: query.data?.found, isOf: query.data?.of ?? "" };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
