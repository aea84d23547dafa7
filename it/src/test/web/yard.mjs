import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { createWriteStream } from "node:fs";
import { join } from "node:path";

/** A server of the real jar with data of its own, that can be stopped and started again at the same address. */
export class Yard {
  /** What each engine needs: room for the flows of both languages, or so little that it is soon full. */
  static rooms = { process: "cpu=16,memoryMB=16384", docker: "cpu=2,memoryMB=2048" };

  static async start({ jar, port, password, directory, engine, options }) {
    const yard = new Yard();
    Object.assign(yard, { url: `http://127.0.0.1:${port}`, data: join(directory, "data"), directory });
    yard.command = [
      "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar,
      "up", "--host", "127.0.0.1", "--port", String(port), "--data", yard.data, "--engine", engine, "--capacity", Yard.rooms[engine],
      ...options,
    ];
    yard.environment = { ...process.env, TRAINYARD_ADMIN_PASSWORD: password };
    await yard.begin();
    return yard;
  }

  /** Returns when it answers. */
  async begin() {
    this.process = spawn(process.env.JAVA ?? "java", this.command, { env: this.environment, stdio: ["ignore", "pipe", "pipe"] });
    this.process.stderr.pipe(createWriteStream(join(this.directory, "server.err"), { flags: "a" }));
    const said = [];
    const lines = createInterface({ input: this.process.stdout });
    for await (const line of lines) {
      said.push(line);
      if (line.startsWith("Trainyard is ready at ")) {
        this.process.stdout.resume();
        return;
      }
    }
    throw new Error(`the server does not start: ${said.join("\n")}`);
  }

  async stop() {
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    await ended;
  }
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** The first line that a program prints, which then goes on. */
export async function firstLine(process) {
  for await (const line of createInterface({ input: process.stdout })) {
    process.stdout.resume();
    return line;
  }
  throw new Error("it has ended without a word");
}
