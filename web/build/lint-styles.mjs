// Fails if two style sheets define the same class, because all style sheets are merged into one.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../src", import.meta.url));
const places = new Map();
for (const file of (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".css"))) {
  const text = (await readFile(join(source, file), "utf8")).replace(/\/\*[^]*?\*\//g, "");
  for (const [, selectors] of text.matchAll(/([^{}]+)\{/g)) {
    for (const selector of selectors.split(",")) {
      const name = /^\s*\.([a-z][\w-]*)/.exec(selector)?.[1];
      if (name && !name.startsWith("ant-")) {
        places.set(name, (places.get(name) ?? new Set()).add(file));
      }
    }
  }
}
const faults = [...places].filter(([, files]) => files.size > 1);
for (const [name, files] of faults) {
  console.error(`.${name} is defined in ${[...files].sort().join(" and ")}`);
}
process.exit(faults.length ? 1 : 0);
