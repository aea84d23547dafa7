// Generates target/api.d.ts from the OpenAPI description of the server: node build/write-api-types.mjs. Only the type check needs
// it: the bundle contains no types.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { apiTypes } from "./api-types.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const description = join(root, "../server/app/src/main/resources/dev/trainyard/server/openapi/v3");

/** Writes target/api.d.ts if its content has changed. */
export async function writeApiTypes() {
  const text = apiTypes(await readDescription(description));
  const file = join(root, "target/api.d.ts");
  if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Combines the parts of the description like OpenApiDocument of the server, but only what the types need. */
async function readDescription(directory) {
  const part = async (name) => parse(await readFile(join(directory, `${name}.yaml`), "utf8"), { merge: true, maxAliasCount: -1 });
  const { "x-parts": parts } = await part("openapi");
  const document = { paths: {}, components: {} };
  for (const { paths = {}, components = {} } of await Promise.all(parts.map(part))) {
    Object.assign(document.paths, paths);
    for (const [kind, more] of Object.entries(components)) document.components[kind] = { ...document.components[kind], ...more };
  }
  return document;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeApiTypes();
