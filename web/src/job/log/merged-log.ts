import { readBytes, readTail, type LogAddress } from "./log-address";
import { linesOf } from "./log-part";
import { Changes, type Line, type LogSource } from "./log-source";

const MOST_LINES = 50_000;
const MOST_AT_ONCE = 256 * 1024;
const FIRST_BYTES = 512 * 1024;

interface Followed {
  readonly address: LogAddress;
  readonly label: string;
  next: number;
  rest: Uint8Array;
  begun: boolean;
}

/**
 * Merges several streams into one log, in the order in which lines arrive. Lines that were printed
 * before are listed stream by stream, because logs contain no timestamps.
 */
export class MergedLog implements LogSource {
  private readonly changes = new Changes();
  private readonly gone = new AbortController();
  private readonly followed: Followed[];
  private lines: Line[] = [];
  private turn: Promise<unknown> = Promise.resolve();
  /** Number of lines that were dropped at the start. */
  dropped = 0;
  /** Whether a stream has lines before the first one that was read. */
  shortened = false;
  failure: unknown = null;

  constructor(streams: readonly { readonly address: LogAddress; readonly label: string }[]) {
    this.followed = streams.map((one) => ({ ...one, next: 0, rest: new Uint8Array(), begun: false }));
  }

  /** Reads new lines. Calls are serialized because two at once would read the same bytes twice. */
  look(): Promise<boolean> {
    const look = this.turn.then(() => this.lookAtAll());
    this.turn = look.catch(() => false);
    return look;
  }

  /** Reads streams that no longer grow to their end, including last lines without a line end. */
  async readOut(): Promise<void> {
    while (await this.look());
    for (const one of this.followed) {
      const rest = one.rest;
      one.rest = new Uint8Array();
      this.show(one, rest, one.next - rest.length);
    }
  }

  private async lookAtAll(): Promise<boolean> {
    let any = false;
    for (const one of this.followed) {
      any = (await this.lookAt(one)) || any;
    }
    return any;
  }

  private async lookAt(one: Followed): Promise<boolean> {
    const { signal } = this.gone;
    if (!one.begun) {
      const share = Math.max(8 * 1024, Math.floor(FIRST_BYTES / this.followed.length));
      const { from, bytes } = await readTail(one.address, share, signal);
      one.begun = true;
      // The tail starts within a line, which is left out.
      const skipped = from > 0 ? bytes.indexOf(10) + 1 : 0;
      this.shortened ||= from > 0;
      this.take(one, bytes.subarray(skipped), from + skipped);
      return bytes.length > 0;
    }
    const bytes = await readBytes(one.address, one.next, one.next + MOST_AT_ONCE, signal);
    this.take(one, bytes, one.next);
    return bytes.length > 0;
  }

  private take(one: Followed, bytes: Uint8Array, from: number): void {
    one.next = from + bytes.length;
    if (bytes.length === 0) {
      return;
    }
    const joined = new Uint8Array(one.rest.length + bytes.length);
    joined.set(one.rest);
    joined.set(bytes, one.rest.length);
    const complete = joined.lastIndexOf(10) + 1;
    // An unfinished line is shown when it ends or when it is very long.
    const until = complete > 0 || joined.length < MOST_AT_ONCE ? complete : joined.length;
    one.rest = joined.slice(until);
    this.show(one, joined.subarray(0, until), one.next - joined.length);
  }

  private show(one: Followed, bytes: Uint8Array, start: number): void {
    const error = one.address.stream === "stderr";
    for (const line of linesOf(bytes, start)) {
      this.lines.push({ ...line, from: one.label, error });
    }
    const surplus = this.lines.length - MOST_LINES;
    if (surplus > 0) {
      this.lines = this.lines.slice(surplus);
      this.dropped += surplus;
    }
    this.changes.happened();
  }

  count(): number {
    return this.lines.length;
  }

  line(number: number): Line | undefined {
    return this.lines[number];
  }

  want(): void {
    // All lines are already loaded.
  }

  readonly onChange = (changed: () => void) => this.changes.listen(changed);
  readonly version = () => this.changes.version;

  close(): void {
    this.gone.abort();
  }
}
