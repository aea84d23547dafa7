import type { WorkerRequest } from "./worker";
import { EventStream, type News } from "./stream";

/** Receives the events of this user until the returned function is called. */
export function follow(user: string, notify: (news: News) => void): () => void {
  return typeof SharedWorker === "undefined" ? followInTab(notify) : followInWorker(user, notify);
}

function followInWorker(user: string, notify: (news: News) => void): () => void {
  const { port } = new SharedWorker(EVENTS_WORKER, { type: "module", name: "trainyard events" });
  const order = (one: WorkerRequest) => port.postMessage(one);
  const subscribe = () => order({ kind: "follow", user });
  const leave = () => order({ kind: "leave" });
  port.onmessage = ({ data }: MessageEvent<News>) => notify(data);
  subscribe();
  // A page in the back/forward cache receives nothing and must not keep the connection open.
  addEventListener("pagehide", leave);
  const shownAgain = ({ persisted }: PageTransitionEvent) => persisted && subscribe();
  addEventListener("pageshow", shownAgain);
  return () => {
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", shownAgain);
    leave();
    port.close();
  };
}

/** A connection for this tab only, for browsers without shared workers, such as some on phones. */
function followInTab(notify: (news: News) => void): () => void {
  const stream = new EventStream(notify);
  stream.open();
  return () => stream.close();
}
