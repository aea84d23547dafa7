import type { JobEvent } from "../api/types";

/** A message to the tabs that receive events. */
export type News =
  | { readonly kind: "events"; readonly events: readonly JobEvent[] }
  /** Connected. `gap` means that earlier events may have been missed. */
  | { readonly kind: "open"; readonly gap: boolean }
  | { readonly kind: "lost" }
  /** Another tab receives events as another user, who is now signed in in this browser. */
  | { readonly kind: "other-user" };

const BATCH_DELAY = 250;
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;

/**
 * One connection to the server's events. The browser reconnects after a broken connection, but not
 * after an error response. After an error response, this class reconnects and continues after the last
 * received event.
 */
export class EventStream {
  private source: EventSource | null = null;
  private last: string | null = null;
  private pause = SHORTEST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private collected: JobEvent[] = [];
  private delivery: ReturnType<typeof setTimeout> | undefined;
  private readonly notify: (news: News) => void;

  constructor(notify: (news: News) => void) {
    this.notify = notify;
  }

  open(): void {
    this.close();
    const after = this.last === null ? "" : `?after=${encodeURIComponent(this.last)}`;
    const source = new EventSource(`/api/v3/events${after}`);
    this.source = source;
    // Without a last event, the stream contains only new events. If the browser itself reconnects, there is no gap.
    let gap = this.last === null;
    source.onopen = () => {
      this.pause = SHORTEST_PAUSE;
      this.notify({ kind: "open", gap });
      gap = false;
    };
    // The server does not know the last event, for example after a restore from a backup.
    source.addEventListener("reset", (message: MessageEvent<string>) => {
      this.last = message.lastEventId || null;
      this.notify({ kind: "open", gap: true });
    });
    source.onmessage = (message) => this.take(message);
    source.onerror = () => {
      this.notify({ kind: "lost" });
      if (source.readyState === EventSource.CLOSED) {
        this.timer = setTimeout(() => this.open(), this.pause);
        this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
      }
    };
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private take(message: MessageEvent<string>): void {
    this.last = message.lastEventId;
    this.collected.push(JSON.parse(message.data) as JobEvent);
    this.delivery ??= setTimeout(() => this.deliver(), BATCH_DELAY);
  }

  /** Delivers events in batches, so that the pages render once for many events. */
  private deliver(): void {
    this.delivery = undefined;
    const events = this.collected;
    this.collected = [];
    this.notify({ kind: "events", events });
  }
}
