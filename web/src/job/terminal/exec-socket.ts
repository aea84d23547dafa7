import { address, path } from "../../api/client";

/** Message types, in the first byte of each message; see "Commands in tasks" in docs/api.md. */
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const EXIT = 3;
const RESIZE = 4;
const MAX_MESSAGE = 32 * 1024;

export interface ExecListener {
  readonly opened: () => void;
  readonly output: (bytes: Uint8Array) => void;
  /** `code` is null if the connection broke before the command ended. */
  readonly ended: (code: number | null, wasOpen: boolean, closeCode: number) => void;
}

/** A shell in a task, over a WebSocket. */
export class ExecSocket {
  private readonly socket: WebSocket;
  private code: number | null = null;
  private wasOpen = false;
  private closed = false;

  constructor(job: string, task: { role: string; index: number }, size: { columns: number; rows: number }, listener: ExecListener) {
    const url = new URL(address(path`/jobs/${job}/tasks/${task.role}/${task.index}/exec`, size), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.wasOpen = true;
      listener.opened();
    };
    this.socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const bytes = new Uint8Array(data);
      if (bytes[0] === STDOUT || bytes[0] === STDERR) {
        listener.output(bytes.subarray(1));
      } else if (bytes[0] === EXIT) {
        this.code = (JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as { exitCode: number }).exitCode;
      }
    };
    this.socket.onclose = ({ code }) => {
      if (!this.closed) {
        listener.ended(this.code, this.wasOpen, code);
      }
    };
  }

  input(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_MESSAGE) {
      this.send(STDIN, bytes.subarray(at, at + MAX_MESSAGE));
    }
  }

  resize(columns: number, rows: number): void {
    this.send(RESIZE, new TextEncoder().encode(JSON.stringify({ columns, rows })));
  }

  close(): void {
    this.closed = true;
    this.socket.close();
  }

  private send(channel: number, bytes: Uint8Array): void {
    if (this.socket.readyState === WebSocket.OPEN) {
      const message = new Uint8Array(bytes.length + 1);
      message[0] = channel;
      message.set(bytes, 1);
      this.socket.send(message);
    }
  }
}
