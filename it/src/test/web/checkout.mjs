import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Reads a file of the sources. The tests run in a copy of this directory; the copy is usually inside the checkout. */
export async function sourceFile(path) {
  let at = process.env.CHECKOUT ?? dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, path))) {
    if (at === dirname(at)) throw new Error("CHECKOUT must be set to the directory of the sources");
    at = dirname(at);
  }
  return readFile(join(at, path), "utf8");
}
