import type { LogAddress } from "./log-address";

/** A line of a log. */
export interface Line {
  /** The printed text without the line end; shortened if `cut` is greater than 0. */
  readonly text: string;
  /** Number of bytes that are missing in `text`. */
  readonly cut: number;
  /** Byte offset of the line in its log; used for links. */
  readonly offset: number;
  /** The task of the line, if lines of several tasks are shown. */
  readonly from?: string;
  /** The stream of the line, if lines of several streams are shown. */
  readonly address?: LogAddress;
  readonly error?: boolean;
}

/** Lines by number, starting at 0. Lines that are not loaded yet are undefined; `want` loads them. */
export interface LogSource {
  readonly count: () => number;
  /** Number of bytes known so far; grows with an unfinished line although the number of lines does not. */
  readonly extent: () => number;
  readonly line: (number: number) => Line | undefined;
  /** Requests the lines that will be shown. */
  readonly want: (from: number, to: number) => void;
  /** Calls the listener when the log has grown or lines have been loaded. */
  readonly onChange: (changed: () => void) => () => void;
  /** Increases with every change. */
  readonly version: () => number;
  readonly close: () => void;
}

/** Notifies listeners, only once for several changes in a short time. */
export class Changes {
  private readonly listeners = new Set<() => void>();
  private planned = false;
  version = 0;

  readonly listen = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  happened(): void {
    this.version++;
    if (!this.planned) {
      this.planned = true;
      setTimeout(() => {
        this.planned = false;
        this.listeners.forEach((listener) => listener());
      }, 16);
    }
  }
}
