// npm run dev [SERVER]: builds the page on every change and serves it on the loopback interface. /api and
// other paths are forwarded to a running server (default http://127.0.0.1:8080, or TRAINYARD_SERVER).
import { watch } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { bundle, root } from "./esbuild.mjs";
import { writeApiTypes } from "./write-api-types.mjs";

const server = new URL(process.argv[2] ?? process.env.TRAINYARD_SERVER ?? "http://127.0.0.1:8080");
const port = Number(process.env.PORT ?? 5173);
const directory = join(root, "target/dev");
const foreign = /^\/(api|rest-server|docs|metrics|healthz|livez)(\/|$)|\.html$/;

let current = null;
let building = null;
async function rebuild() {
  const next = join(directory, String(Date.now()));
  await mkdir(next, { recursive: true });
  try {
    const { prefetch, entry, style } = await bundle(next, { minify: false });
    const old = current;
    current = { directory: next, prefetch, entry, style };
    if (old) await rm(old.directory, { recursive: true, force: true });
    console.log(new Date().toLocaleTimeString(), "built");
  } catch {
    // esbuild has already printed the error.
  }
}
await rm(directory, { recursive: true, force: true });
await writeApiTypes(); // for editors
await rebuild();
watch(join(root, "src"), { recursive: true }, () => {
  clearTimeout(building);
  building = setTimeout(rebuild, 100);
});

const types = { js: "text/javascript", map: "application/json", css: "text/css", svg: "image/svg+xml" };
const site = http.createServer(async (request, response) => {
  const path = new URL(request.url, "http://here").pathname;
  if (foreign.test(path)) return proxy(request, response);
  try {
    if (path.startsWith("/assets/")) {
      const name = path.slice("/assets/".length).replaceAll("/", "");
      const file = name === "icon.svg" ? join(root, "build", name) : join(current.directory, name);
      response.setHeader("Content-Type", types[name.split(".").pop()] ?? "text/plain");
      return response.end(await readFile(file));
    }
    const head =
      `  <script type="module" async src="/assets/${current.prefetch}"></script>\n` +
      `  <link rel="stylesheet" href="/assets/${current.style}">\n` +
      `  <script type="module" src="/assets/${current.entry}"></script>`;
    const text = await readFile(join(root, "index.html"), "utf8");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.end(text.replace("{icon}", "/assets/icon.svg").replace("{head}", head));
  } catch {
    response.writeHead(404).end();
  }
});

/** Replaces Host and Origin by those of the server, because it compares them. */
function headersFor(request) {
  const headers = { ...request.headers, host: server.host };
  if (headers.origin) headers.origin = server.origin;
  return headers;
}

function proxy(request, response) {
  const onward = http.request(
    { host: server.hostname, port: server.port, path: request.url, method: request.method, headers: headersFor(request) },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on("error", () => response.headersSent ? response.destroy() : response.writeHead(502).end());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
}

site.on("upgrade", (request, socket, head) => {
  const onward = net.connect(Number(server.port || 80), server.hostname, () => {
    const headers = Object.entries(headersFor(request)).map(([name, value]) => `${name}: ${value}\r\n`);
    onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
    onward.write(head);
    socket.pipe(onward).pipe(socket);
  });
  for (const end of [socket, onward]) end.on("error", () => (socket.destroy(), onward.destroy()));
});

site.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${site.address().port} for ${server.origin}`));
