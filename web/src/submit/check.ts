import { useEffect, useState } from "react";
import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Problem } from "../api/error";

/** What the server says of a job file; docs/api.md. */
export interface Check {
  readonly format: string | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly neverFits: boolean;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly reasonParams: Readonly<Record<string, unknown>> | null;
}

const PAUSE = 400;
const PLAIN = { headers: { "Content-Type": "text/plain; charset=utf-8" } };

export function check(text: string, signal?: AbortSignal): Promise<Check> {
  return api.post<Check>("/jobs/check", text, signal ? { ...PLAIN, signal } : PLAIN);
}

/** Asks once nobody has typed for a moment; the last answer stays until there is another. */
export function useCheck(text: string): { readonly found: Check | undefined; readonly isOf: string } {
  const asked = useSettled(text);
  const query = useQuery({
    queryKey: ["job-check", asked],
    queryFn: async ({ signal }) => ({ of: asked, found: await check(asked, signal) }),
    enabled: asked.trim() !== "",
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
