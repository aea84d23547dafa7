import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { createWriteStream } from "node:fs";
import { join } from "node:path";

/** A server that runs from the real jar with its own data directory. It can be stopped and restarted at the same address. */
export class TestServer {
  /**
   * Capacity by engine: with the process engine large enough for the flows of both languages, with Docker small enough that a flow
   * can use all of it.
   */
  static capacities = { process: "cpu=16,memoryMB=16384", docker: "cpu=2,memoryMB=2048" };

  static async start({ jar, port, password, directory, engine, capacity = TestServer.capacities[engine], options }) {
    const testServer = new TestServer();
    Object.assign(testServer, { url: `http://127.0.0.1:${port}`, data: join(directory, "data"), directory });
    testServer.command = [
      "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar,
      "up", "--host", "127.0.0.1", "--port", String(port), "--data", testServer.data, "--engine", engine, "--capacity", capacity,
      ...options,
    ];
    testServer.environment = { ...process.env, TRAINYARD_ADMIN_PASSWORD: password };
    await testServer.begin();
    return testServer;
  }

  /** Starts the process and returns when the server is ready. */
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
    throw new Error(`the server failed to start: ${said.join("\n")}`);
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

/** Returns the first line of the output of a program that keeps running. */
export async function firstLine(process) {
  for await (const line of createInterface({ input: process.stdout })) {
    process.stdout.resume();
    return line;
  }
  throw new Error("the program exited without output");
}
