/// <reference lib="webworker" />
import { EventStream, type News } from "./stream";

/**
 * Shared worker for all tabs of a browser: holds one connection and forwards events to every tab.
 * Browsers allow few connections per server, and one connection per tab would soon reach that limit.
 */
export type WorkerRequest = { readonly kind: "follow"; readonly user: string } | { readonly kind: "leave" };

interface SharedScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

const followers = new Map<MessagePort, string>();
let stream: EventStream | null = null;
let streamOf: string | null = null;
let connected = false;

(self as unknown as SharedScope).onconnect = ({ ports: [port] }) => {
  port!.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
    if (data.kind === "leave") {
      leave(port!);
    } else {
      follow(port!, data.user);
    }
  };
};

/** If another user signs in, the connection is replaced, because a browser has only one session. */
function follow(port: MessagePort, user: string): void {
  followers.set(port, user);
  if (streamOf !== user) {
    stream?.close();
    connected = false;
    streamOf = user;
    stream = new EventStream(notifyAll);
    stream.open();
    for (const [other, theirs] of followers) {
      if (theirs !== user) {
        other.postMessage({ kind: "other-user" } satisfies News);
      }
    }
  } else if (connected) {
    // The tab may have missed events since it loaded its data.
    port.postMessage({ kind: "open", gap: true } satisfies News);
  }
}

function leave(port: MessagePort): void {
  followers.delete(port);
  if (followers.size === 0) {
    stream?.close();
    stream = null;
    streamOf = null;
    connected = false;
  }
}

function notifyAll(news: News): void {
  if (news.kind !== "events") {
    connected = news.kind === "open";
  }
  for (const [port, user] of followers) {
    if (user === streamOf) {
      port.postMessage(news);
    }
  }
}
