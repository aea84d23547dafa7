/** What the server says, by code; build/esbuild.mjs makes it from the server's own messages. */
declare module "server-words:zh" {
  const words: Readonly<Record<string, string>>;
  export default words;
}

/** Where the events' worker is. */
declare const EVENTS_WORKER: string;
