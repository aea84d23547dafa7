import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { firstLine } from "./test-server.mjs";

/** The OpenID Connect provider of it/src/test/oidc, if it is installed next to this directory. */
export class Provider {
  static async start(server, directory) {
    const program = fileURLToPath(new URL("../oidc/", import.meta.url));
    if (!existsSync(join(program, "node_modules"))) return null;
    const provider = new Provider();
    Object.assign(provider, { directory, people: join(directory, "people.json"), secret: join(directory, "secret") });
    await writeFile(provider.secret, "a secret: with signs&\n");
    await writeFile(provider.people, "{}");
    const back = `${server}/api/v3/oidc/return`;
    provider.process = spawn(process.execPath, ["provider.js", back, provider.people], { cwd: program, stdio: ["ignore", "pipe", "ignore"] });
    provider.issuer = await firstLine(provider.process);
    return provider;
  }

  /** Returns the options with which a server uses this provider. */
  options(server) {
    return ["--public-url", server, "--oidc-issuer", this.issuer, "--oidc-client-id", "trainyard", "--oidc-client-secret-file", this.secret];
  }

  /** Sets the claims of all users, by login. */
  async setUsers(people) {
    await writeFile(`${this.people}.next`, JSON.stringify(people));
    await rename(`${this.people}.next`, this.people);
  }
}
