import { useEffect, useState } from "react";
import { findLines, type LogAddress } from "./log-address";
import { plain } from "./line-text";
import type { LogSource } from "./log-source";

const PAUSE = 250;
const AT_ONCE = 1000;
const MOST = 5_000;

export interface Found {
  /** Where the text is, in order: bytes of a log on the server, lines of one that is here. */
  readonly places: readonly number[];
  /** Whether there are more than those. */
  readonly more: boolean;
}

/** Searched by the server: the log may be larger than anybody wants to fetch. */
export function useServerSearch(address: LogAddress, text: string, length: number): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  // A log that grows is searched again, but not with every line.
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
          const page = await findLines(address, [text], { from, limit: AT_ONCE, signal: gone.signal });
          offsets.push(...page.matches);
          // The server searches a part of a large log at a time, and there may be nothing in one.
          more = page.end < page.length && page.end > from;
          from = page.end;
        }
        setFound({ places: offsets, more });
      } catch {
        // The log itself says when the server is away; the next search works again.
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [address, text, grown]);
  return found;
}

/** Where all lines are here, they are searched here. */
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
