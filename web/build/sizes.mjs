// Prints the compressed size of each script and its largest packages: npm run sizes, after a build.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./esbuild.mjs";

const assets = join(root, "target/classes/dev/trainyard/web/assets");
const { outputs } = JSON.parse(await readFile(join(root, "target/bundle.json"), "utf8"));
const rows = [];
for (const name of await readdir(assets)) {
  if (name.endsWith(".js")) {
    const output = Object.entries(outputs).find(([path]) => path.endsWith("/" + name))?.[1];
    rows.push({ name, br: (await stat(join(assets, name + ".br"))).size, largest: output && largest(output) });
  }
}
rows.sort((a, b) => b.br - a.br);
for (const { name, br, largest } of rows.slice(0, 40)) {
  console.log(`${String(Math.round(br / 102.4) / 10).padStart(7)} KB  ${name.padEnd(28)} ${largest ?? ""}`);
}

function largest(output) {
  const packages = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? "(own)";
    packages.set(name, (packages.get(name) ?? 0) + bytesInOutput);
  }
  return [...packages].sort((a, b) => b[1] - a[1]).slice(0, 6).map(([name, size]) => `${name} ${Math.round(size / 1024)}`).join(", ");
}
