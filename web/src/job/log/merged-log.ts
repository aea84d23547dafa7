import { readBytes, readTail, type LogAddress } from "./log-address";
import { linesOf, startOfTail } from "./log-part";
import { Changes, type Line, type LogSource } from "./log-source";

const MOST_LINES = 50_000;
const MOST_AT_ONCE = 256 * 1024;
const FIRST_BYTES = 2 * 1024 * 1024;
/** An unfinished line that is longer than this keeps only its last state. */
const LONGEST_REST = 16 * 1024;

interface Followed {
  readonly address: LogAddress;
  readonly label: string;
  next: number;
  /** The bytes of the unfinished line. */
  rest: Uint8Array;
  /** Number of bytes of the unfinished line that precede `rest`; overwritten text such as earlier states of a progress bar. */
  overwritten: number;
  /** The unfinished line as it is shown; null if there is none. */
  pending: Line | null;
  begun: boolean;
}

/**
 * Merges several streams into one log, in the order in which lines arrive. Lines that were printed
 * before the log was opened are listed stream by stream, because logs contain no timestamps. The
 * unfinished line of each stream, such as a progress bar, follows the finished lines.
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
  private readonly firstBytes: number;
  private pending: readonly Line[] = [];

  constructor(streams: readonly { readonly address: LogAddress; readonly label: string }[], firstBytes = FIRST_BYTES) {
    this.firstBytes = firstBytes;
    this.followed = streams.map((one) => ({ ...one, next: 0, rest: new Uint8Array(), overwritten: 0, pending: null, begun: false }));
  }

  /** Reads new lines. Calls are serialized because two at once would read the same bytes twice. */
  poll(): Promise<boolean> {
    const poll = this.turn.then(() => this.pollAll());
    this.turn = poll.catch(() => false);
    return poll;
  }

  /** Reads streams that no longer grow to their end. */
  async readToEnd(): Promise<void> {
    while (await this.poll());
  }

  private async pollAll(): Promise<boolean> {
    let any = false;
    for (const one of this.followed) {
      any = (await this.pollStream(one)) || any;
    }
    return any;
  }

  private async pollStream(one: Followed): Promise<boolean> {
    const { signal } = this.gone;
    if (!one.begun) {
      const share = Math.max(8 * 1024, Math.floor(this.firstBytes / this.followed.length));
      const { from, bytes } = await readTail(one.address, share, signal);
      one.begun = true;
      const skipped = startOfTail(bytes, from);
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
    const start = one.next - joined.length - one.overwritten;
    if (complete > 0) {
      this.show(one, joined.subarray(0, complete), start, one.overwritten);
      one.overwritten = 0;
    }
    this.keepRest(one, joined.subarray(complete));
    this.changes.happened();
  }

  /** Keeps the unfinished line for the next bytes and shows its current state. */
  private keepRest(one: Followed, rest: Uint8Array): void {
    const start = one.next - rest.length - one.overwritten;
    const kept = rest.length > LONGEST_REST ? lastStates(rest) : rest;
    if (kept.length >= MOST_AT_ONCE) {
      // One very long line is shown in parts.
      this.show(one, kept, start, one.overwritten);
      one.overwritten = 0;
      one.rest = new Uint8Array();
    } else {
      one.overwritten += rest.length - kept.length;
      one.rest = kept.slice();
    }
    one.pending = one.rest.length === 0 ? null : (this.linesOf(one, one.rest, start, one.overwritten)[0] ?? null);
    this.pending = this.followed.flatMap((each) => each.pending ?? []);
  }

  /** Returns the lines in the bytes; the first one starts at `start`, and `overwritten` of its bytes are missing. */
  private linesOf(one: Followed, bytes: Uint8Array, start: number, overwritten: number): Line[] {
    const error = one.address.stream === "stderr";
    return linesOf(bytes, start + overwritten).map((line, i) => ({
      ...line,
      offset: i === 0 ? start : line.offset,
      from: one.label,
      address: one.address,
      error,
    }));
  }

  private show(one: Followed, bytes: Uint8Array, start: number, overwritten: number): void {
    for (const line of this.linesOf(one, bytes, start, overwritten)) {
      this.lines.push(line);
    }
    const surplus = this.lines.length - MOST_LINES;
    if (surplus > 0) {
      this.lines = this.lines.slice(surplus);
      this.dropped += surplus;
    }
  }

  count(): number {
    return this.lines.length + this.pending.length;
  }

  line(number: number): Line | undefined {
    return number < this.lines.length ? this.lines[number] : this.pending[number - this.lines.length];
  }

  extent(): number {
    return this.followed.reduce((sum, one) => sum + one.next, 0);
  }

  /** Returns the number of streams that have printed something. */
  printed(): number {
    return this.followed.filter((one) => one.next > 0).length;
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

/** Returns the last two states of an unfinished line, because the last state may be incomplete. Returns the whole line if nothing was overwritten. */
function lastStates(line: Uint8Array): Uint8Array {
  const last = line.lastIndexOf(13, line.length - 2);
  const before = last > 0 ? line.lastIndexOf(13, last - 1) : -1;
  return before < 0 ? line : line.subarray(before + 1);
}
