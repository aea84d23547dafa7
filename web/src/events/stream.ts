import type { JobEvent } from "../api/types";

/** What a follower of the events is told. */
export type News =
  | { readonly kind: "events"; readonly events: readonly JobEvent[] }
  /** Connected. `gap` says that events before this moment may have been missed. */
  | { readonly kind: "open"; readonly gap: boolean }
  | { readonly kind: "lost" }
  /** Another tab follows them as somebody else: this browser is now theirs. */
  | { readonly kind: "other-user" };

const TOGETHER = 250;
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;

/**
 * One connection to the server's events. A browser comes back by itself after a broken connection;
 * after a refusal it does not, and this does, from the last event that was seen.
 */
export class EventStream {
  private source: EventSource | null = null;
  private last: string | null = null;
  private pause = SHORTEST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private collected: JobEvent[] = [];
  private delivery: ReturnType<typeof setTimeout> | undefined;
  private readonly tell: (news: News) => void;

  constructor(tell: (news: News) => void) {
    this.tell = tell;
  }

  open(): void {
    this.close();
    const after = this.last === null ? "" : `?after=${encodeURIComponent(this.last)}`;
    const source = new EventSource(`/api/v3/events${after}`);
    this.source = source;
    // Without an event that was seen it begins at the present; when the browser itself comes back it goes on where it was.
    let gap = this.last === null;
    source.onopen = () => {
      this.pause = SHORTEST_PAUSE;
      this.tell({ kind: "open", gap });
      gap = false;
    };
    // The server does not know the last event, as after a restore from a backup.
    source.addEventListener("reset", (message: MessageEvent<string>) => {
      this.last = message.lastEventId || null;
      this.tell({ kind: "open", gap: true });
    });
    source.onmessage = (message) => this.take(message);
    source.onerror = () => {
      this.tell({ kind: "lost" });
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
    this.delivery ??= setTimeout(() => this.deliver(), TOGETHER);
  }

  /** Many events at once cost the pages one step, not many. */
  private deliver(): void {
    this.delivery = undefined;
    const events = this.collected;
    this.collected = [];
    this.tell({ kind: "events", events });
  }
}
