import { countLines, readBytes, type LogAddress } from "./log-address";
import { Changes, type Line, type LogSource } from "./log-source";
import { grownPart, linesOf, partOf, MAX_LINE_BYTES, type Part } from "./log-part";

const MOST_PARTS = 40;
const MAX_REREAD = 1024 * 1024;

/**
 * A log of any length. For every 128 KiB, the server returns the offset of a line, which starts a part.
 * Only the visible parts are read, and only a few parts are kept in memory.
 */
export class IndexedLog implements LogSource {
  private readonly address: LogAddress;
  private readonly changes = new Changes();
  private readonly gone = new AbortController();
  /** Byte offsets of the parts, and the number of the first line in each. */
  private readonly offsets: number[] = [0];
  private readonly numbers: number[] = [0];
  private readonly parts = new Map<number, Part>();
  private readonly reading = new Set<number>();
  private end = 0;
  private newlines = 0;
  private endsInLine = false;
  length = 0;
  /** Whether the lines of the log have been counted at least once. */
  counted = false;
  failure: unknown = null;

  constructor(address: LogAddress) {
    this.address = address;
  }

  /** Counts new lines; returns whether the log has grown. */
  async poll(): Promise<boolean> {
    const before = this.end;
    do {
      const last = this.offsets.length - 1;
      const again = this.end - this.offsets[last]! <= MAX_REREAD;
      const from = again ? this.offsets[last]! : this.end;
      const linesBefore = again ? this.numbers[last]! : this.newlines;
      const count = await countLines(this.address, from, this.gone.signal);
      for (const [offset, lines] of count.starts) {
        if (offset > this.offsets.at(-1)!) {
          this.offsets.push(offset);
          this.numbers.push(linesBefore + lines);
        }
      }
      this.newlines = linesBefore + count.lines;
      this.end = Math.max(this.end, count.end);
      this.length = count.length;
      this.changes.happened();
      if (count.end === from) break;
    } while (this.end < this.length);
    this.counted = true;
    if (this.end > before) {
      await this.readEnd();
    }
    return this.end > before;
  }

  /** Reads a log that no longer grows to its end. */
  async readToEnd(): Promise<void> {
    await this.poll();
  }

  /** Determines whether the last line is unfinished. */
  private async readEnd(): Promise<void> {
    const last = await readBytes(this.address, this.end - 1, this.end, this.gone.signal);
    this.endsInLine = last.length > 0 && last[0] !== 10;
    this.changes.happened();
  }

  count(): number {
    return this.newlines + (this.endsInLine ? 1 : 0);
  }

  extent(): number {
    return this.end;
  }

  line(number: number): Line | undefined {
    const k = this.partAt(this.numbers, number);
    return this.parts.get(k)?.lines[number - this.numbers[k]!];
  }

  want(from: number, to: number): void {
    if (this.count() === 0) {
      return;
    }
    const first = this.partAt(this.numbers, Math.max(0, from));
    const last = this.partAt(this.numbers, Math.min(this.count() - 1, to));
    for (let k = first; k <= last; k++) {
      const part = this.parts.get(k);
      if (part) {
        // Moves the part to the end of the map: the least recently used part is removed first.
        this.parts.delete(k);
        this.parts.set(k, part);
      }
      if (!part || part.end < this.endOf(k)) {
        void this.read(k);
      }
    }
  }

  /** Returns the number of the line that contains the byte at this offset. */
  async lineAt(offset: number): Promise<number> {
    const k = this.partAt(this.offsets, offset);
    if (!this.parts.has(k)) {
      await this.read(k);
    }
    const lines = this.parts.get(k)?.lines ?? [];
    let found = 0;
    while (found + 1 < lines.length && lines[found + 1]!.offset <= offset) {
      found++;
    }
    return this.numbers[k]! + found;
  }

  private endOf(k: number): number {
    return this.offsets[k + 1] ?? this.end;
  }

  private async read(k: number): Promise<void> {
    if (this.reading.has(k)) {
      return;
    }
    this.reading.add(k);
    try {
      const end = this.endOf(k);
      const known = this.parts.get(k);
      const more = known && grownPart(known, end);
      this.parts.set(k, more ? await more(this.address, this.gone.signal) : await partOf(this.address, this.offsets[k]!, end, this.gone.signal));
      this.failure = null;
      this.forget();
    } catch (error) {
      if (!this.gone.signal.aborted) {
        this.failure = error;
      }
    } finally {
      this.reading.delete(k);
      this.changes.happened();
    }
  }

  private forget(): void {
    for (const k of this.parts.keys()) {
      if (this.parts.size <= MOST_PARTS) {
        return;
      }
      this.parts.delete(k);
    }
  }

  private partAt(sorted: readonly number[], value: number): number {
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (sorted[middle]! <= value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Reads a whole line, up to {@link MAX_LINE_BYTES} bytes. */
  async whole(number: number): Promise<string> {
    const line = this.line(number);
    if (!line) {
      return "";
    }
    const bytes = await readBytes(this.address, line.offset, line.offset + MAX_LINE_BYTES, this.gone.signal);
    return linesOf(bytes, line.offset)[0]?.text ?? "";
  }

  readonly onChange = (changed: () => void) => this.changes.listen(changed);
  readonly version = () => this.changes.version;

  close(): void {
    this.gone.abort();
  }
}
