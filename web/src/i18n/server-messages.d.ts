/** Messages of the server by code; build/esbuild.mjs generates them from the server's message file. */
declare module "server-messages:zh" {
  const messages: Readonly<Record<string, string>>;
  export default messages;
}

/** URL of the shared worker that receives events. */
declare const EVENTS_WORKER: string;
