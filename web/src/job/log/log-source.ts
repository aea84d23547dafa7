/** A line that can be shown. */
export interface Line {
  /** As it was printed, without its end; shortened if `cut` says so. */
  readonly text: string;
  /** How many bytes are not in `text`. */
  readonly cut: number;
  /** Where it begins in its log; for a link to it. */
  readonly offset: number;
  /** Of which task, if lines of several are shown. */
  readonly from?: string;
  readonly error?: boolean;
}

/** Lines by number from 0; those that were not read yet are undefined, and come by themselves. */
export interface LogSource {
  readonly count: () => number;
  readonly line: (number: number) => Line | undefined;
  /** Lines that will be looked at. */
  readonly want: (from: number, to: number) => void;
  /** Told whenever there is more, or something was read. */
  readonly onChange: (changed: () => void) => () => void;
  /** Changes with every change. */
  readonly version: () => number;
  readonly close: () => void;
}

/** Tells whoever listens, once for many changes. */
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
