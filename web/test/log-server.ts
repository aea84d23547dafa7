/** Answers the requests of the log classes from memory, like the server's log API. */
export class LogServer {
  private readonly logs = new Map<string, Uint8Array>();
  readonly requests: string[] = [];

  constructor() {
    globalThis.fetch = (url) => Promise.resolve(this.respond(new URL(String(url), "http://test")));
  }

  append(stream: string, text: string): void {
    const before = this.logs.get(stream) ?? new Uint8Array();
    this.logs.set(stream, Buffer.concat([before, Buffer.from(text)]));
  }

  private respond(url: URL): Response {
    this.requests.push(url.pathname + url.search);
    const [, stream, lines] = /\/logs\/main\/0\/(\w+)(\/lines)?$/.exec(url.pathname) ?? [];
    const log = this.logs.get(stream ?? "") ?? new Uint8Array();
    const given = Number(url.searchParams.get("offset"));
    const offset = given < 0 ? Math.max(0, log.length + given) : Math.min(given, log.length);
    if (lines) {
      return Response.json(this.count(log, offset));
    }
    const limit = Number(url.searchParams.get("limit"));
    return new Response(Buffer.from(log.subarray(offset, offset + limit)), { headers: { "X-Log-Offset": String(offset) } });
  }

  /** Names the first line after every 64 bytes. */
  private count(log: Uint8Array, offset: number) {
    const starts: [number, number][] = [];
    let lines = 0;
    let next = offset + 64;
    for (let i = offset; i < log.length; i++) {
      if (log[i] === 10) {
        lines++;
        if (i + 1 >= next && i + 1 < log.length) {
          starts.push([i + 1, lines]);
          next = i + 65;
        }
      }
    }
    return { offset, end: log.length, length: log.length, lines, starts };
  }
}

export function streamOf(stream: "stdout" | "stderr") {
  return { address: { job: "a~b", role: "main", index: 0, stream }, label: stream };
}
