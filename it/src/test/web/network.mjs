// Runs the browser in a network namespace, because Chromium aborts requests when a network interface of the host is added or
// removed, which happens at the start and end of every container. In the namespace, ports of 127.0.0.1 are forwarded to the same
// ports of the host through Unix domain sockets.
import { chmod } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/**
 * Returns the program to start instead of the browser, its environment variables, and a promise that resolves when the network is
 * ready.
 */
export async function networkFor(ports, directory) {
  const ready = new Promise((resolve) => void listen((socket) => resolve(socket.destroy()), fileOf(directory, "ready")));
  for (const port of ports) {
    await listen((socket) => connectSockets(socket, connect(port, "127.0.0.1")), fileOf(directory, port));
  }
  const program = fileURLToPath(new URL("isolated-chromium", import.meta.url));
  await chmod(program, 0o755);
  return { program, ready, environment: { FORWARD: `${here} ${directory} ${ports.join(" ")}` } };
}

const fileOf = (directory, port) => join(directory, `port-${port}`);

function listen(take, ...where) {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, take);
    server.on("error", reject);
    server.listen(...where, () => resolve(server));
    server.unref();
  });
}

function connectSockets(one, other) {
  one.pipe(other);
  other.pipe(one);
  const end = () => (one.destroy(), other.destroy());
  for (const socket of [one, other]) socket.setNoDelay?.(true).on("error", end);
}

/** Runs in the namespace; exits when the browser, its parent process, has ended. */
if (process.argv[1] === here) {
  const [directory, ...ports] = process.argv.slice(2);
  for (const port of ports) {
    (await listen((socket) => connectSockets(socket, connect(fileOf(directory, port))), Number(port), "127.0.0.1")).ref();
  }
  connect(fileOf(directory, "ready"));
  const browser = process.ppid;
  setInterval(() => process.ppid === browser || process.exit(), 1000);
}
