// A network for the browser alone: it gives up whatever it loads when a network of its machine comes or goes, and with every
// container one does. In there, ports of 127.0.0.1 lead to the same ports out here, by sockets that are files.
import { chmod } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** What to start instead of the browser, with which environment, and when it can be used. */
export async function networkFor(ports, directory) {
  const ready = new Promise((resolve) => void listen((socket) => resolve(socket.destroy()), fileOf(directory, "ready")));
  for (const port of ports) {
    await listen((socket) => couple(socket, connect(port, "127.0.0.1")), fileOf(directory, port));
  }
  const program = fileURLToPath(new URL("apart", import.meta.url));
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

function couple(one, other) {
  one.pipe(other);
  other.pipe(one);
  const end = () => (one.destroy(), other.destroy());
  for (const socket of [one, other]) socket.setNoDelay?.(true).on("error", end);
}

/** Inside: ends with the browser, whose process started it. */
if (process.argv[1] === here) {
  const [directory, ...ports] = process.argv.slice(2);
  for (const port of ports) {
    (await listen((socket) => couple(socket, connect(fileOf(directory, port))), Number(port), "127.0.0.1")).ref();
  }
  connect(fileOf(directory, "ready"));
  const browser = process.ppid;
  setInterval(() => process.ppid === browser || process.exit(), 1000);
}
