// Bundles the page: node build/bundle.mjs [OUTPUT]. files.txt lists all files for the server.
import { mkdir, readFile, rm, writeFile, readdir } from "node:fs/promises";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { join } from "node:path";
import { bundle, root } from "./esbuild.mjs";

const output = process.argv[2] ?? join(root, "target/classes/dev/trainyard/web");
const assets = join(output, "assets");

const types = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

await rm(output, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
const { prefetch, entry, style, preloads, metafile } = await bundle(assets, { minify: true });
await writeFile(join(root, "target/bundle.json"), JSON.stringify(metafile));

const icon = await readFile(join(root, "build/icon.svg"));
const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
await writeFile(join(assets, iconName), icon);

const template = await readFile(join(root, "index.html"), "utf8");
await writeFile(join(output, "index.html"), page(template));

const lines = ["index.html\t" + types.html];
for (const name of (await readdir(assets)).sort()) {
  lines.push(`assets/${name}\t${types[name.split(".").pop()]}`);
}
await writeFile(join(output, "files.txt"), lines.join("\n") + "\n");
await Promise.all(lines.map((line) => compress(join(output, line.split("\t")[0]))));

function page(text) {
  const head = [
    `  <script type="module" async src="/assets/${prefetch}"></script>`,
    `  <link rel="stylesheet" href="/assets/${style}">`,
    `  <script type="module" src="/assets/${entry}"></script>`,
    ...preloads.map((name) => `  <link rel="modulepreload" href="/assets/${name}">`),
  ];
  return text.replace("{icon}", `/assets/${iconName}`).replace("{head}", head.join("\n"));
}

async function compress(file) {
  const content = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await writeFile(file + ".br", br);
  await writeFile(file + ".gz", gz);
}
