import { useEffect, useState } from "react";
import { findLines, type LogAddress } from "./log-address";
import { plain } from "./line-text";
import type { LogSource } from "./log-source";

const PAUSE = 250;
const PAGE_SIZE = 1000;
const MOST = 5_000;

export interface Found {
  /** Positions of the matches, in order: byte offsets for a search by the server, line numbers for a local one. */
  readonly places: readonly number[];
  /** Whether there are more matches. */
  readonly more: boolean;
}

/** Searches on the server because the log may be too large to load. */
export function useServerSearch(address: LogAddress, text: string, length: number): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  // A growing log is searched again, but not for every new line.
  const grown = Math.floor(Math.log2(Math.max(1, length)) * 4);
  useEffect(() => {
    if (text === "") {
      setFound(null);
      return;
    }
    const gone = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const offsets: number[] = [];
        let from = 0;
        let more = true;
        while (more && offsets.length < MOST) {
          const page = await findLines(address, [text], { from, limit: PAGE_SIZE, signal: gone.signal });
          offsets.push(...page.matches);
          // The server searches a large log in sections, and a section may contain no match.
          more = page.end < page.length && page.end > from;
          from = page.end;
        }
        setFound({ places: offsets, more });
      } catch {
        // The log view reports connection errors; the next search retries.
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [address, text, grown]);
  return found;
}

/** Searches a log whose lines are all loaded. */
export function searchHere(log: LogSource, text: string): Found | null {
  if (text === "") {
    return null;
  }
  const wanted = text.toLowerCase();
  const lines: number[] = [];
  for (let i = 0; i < log.count() && lines.length < MOST; i++) {
    const line = log.line(i);
    if (line && plain(line.text).toLowerCase().includes(wanted)) {
      lines.push(i);
    }
  }
  return { places: lines, more: lines.length >= MOST };
}
