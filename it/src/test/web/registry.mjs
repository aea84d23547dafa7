import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { freePort } from "./test-server.mjs";

/** A real image registry, from the Debian package docker-registry. Its images are built without an engine. */
export class Registry {
  static async start({ directory }) {
    const registry = new Registry();
    registry.host = `127.0.0.1:${await freePort()}`;
    const here = await mkdtemp(join(directory, "registry-"));
    const config = join(here, "registry.yml");
    await writeFile(config, `version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: ${here}/images}}\nhttp: {addr: "${registry.host}"}\n`);
    registry.process = spawn("/usr/bin/docker-registry", ["serve", config], { stdio: "ignore" });
    for (const end = Date.now() + 30_000; !(await registry.answers()); await new Promise((resolve) => setTimeout(resolve, 50))) {
      if (Date.now() > end || registry.process.exitCode !== null) throw new Error("the registry does not respond");
    }
    return registry;
  }

  answers() {
    return fetch(`http://${this.host}/v2/`).then(({ ok }) => ok, () => false);
  }

  stop() {
    this.process.kill();
  }

  /**
   * Pushes an image with the given files and a layer of random bytes, which cannot be compressed, so that pulling takes some time.
   */
  async push(repository, tag, { files = {}, bytes = 0 }) {
    const archives = [tar({ ...files, "etc/made-by": Buffer.from("test\n") }), ...(bytes > 0 ? [tar({ weight: randomBytes(bytes) })] : [])];
    const layers = [];
    for (const archive of archives) {
      layers.push({ mediaType: "application/vnd.docker.image.rootfs.diff.tar.gzip", ...(await this.put(repository, gzipSync(archive, { level: 1 }))) });
    }
    const config = {
      architecture: process.arch === "x64" ? "amd64" : process.arch, os: "linux", config: { Env: ["PATH=/bin"] },
      rootfs: { type: "layers", diff_ids: archives.map(digest) }, history: [],
    };
    const type = "application/vnd.docker.distribution.manifest.v2+json";
    const described = { mediaType: "application/vnd.docker.container.image.v1+json", ...(await this.put(repository, Buffer.from(JSON.stringify(config)))) };
    await this.send("PUT", `/v2/${repository}/manifests/${tag}`, JSON.stringify({ schemaVersion: 2, mediaType: type, config: described, layers }), type);
    return `${this.host}/${repository}:${tag}`;
  }

  async put(repository, blob) {
    const begun = await this.send("POST", `/v2/${repository}/blobs/uploads/`);
    const at = new URL(begun.headers.get("location"), `http://${this.host}`);
    at.searchParams.set("digest", digest(blob));
    await this.send("PUT", at.pathname + at.search, blob, "application/octet-stream");
    return { size: blob.length, digest: digest(blob) };
  }

  async send(method, path, body, type) {
    const answer = await fetch(`http://${this.host}${path}`, { method, body, headers: type ? { "Content-Type": type } : {} });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}

const digest = (blob) => `sha256:${createHash("sha256").update(blob).digest("hex")}`;

/** Creates an archive; the values are file contents, or strings for the targets of symbolic links. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, bytesOrLink]) => {
    const link = typeof bytesOrLink === "string";
    const content = link ? Buffer.alloc(0) : bytesOrLink;
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000755\0", 100);
    header.write("0000000\0", 108);
    header.write("0000000\0", 116);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write(`        ${link ? 2 : 0}`, 148);
    if (link) header.write(bytesOrLink, 157);
    header.write("ustar\x0000", 257);
    header.write(`${header.reduce((sum, one) => sum + one, 0).toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
