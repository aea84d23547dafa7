// `import { Button } from "antd"` names a file that names all components. esbuild leaves out those
// that nobody uses, but what is used anywhere would be loaded everywhere, as every page reaches that
// one file. So our own files import each component from where it is.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(import.meta.url);
const barrels = { antd: "antd/es/index.js", "@ant-design/icons": "@ant-design/icons/es/icons/index.js" };
const importing = /import\s*\{([^}]*)\}\s*from\s*"(antd|@ant-design\/icons)";?/g;

export const directImports = {
  name: "direct imports",
  async setup({ onLoad }) {
    const places = Object.fromEntries(
      await Promise.all(Object.entries(barrels).map(async ([name, file]) => [name, await exportsOf(file)])),
    );
    onLoad({ filter: /[/\\]src[/\\].*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replace(importing, (_, names, library) => direct(names, library, places[library], path));
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

async function exportsOf(file) {
  const text = await readFile(require.resolve(file), "utf8");
  const found = text.matchAll(/export \{ default as (\w+) \} from ["']\.\/([\w-]+)["']/g);
  return new Map([...found].map(([, name, place]) => [name, `${dirname(file)}/${place}`]));
}

/** On one line, as the lines of what follows are told in errors. */
function direct(names, library, places, path) {
  const lines = names.split("\n").length - 1;
  const imports = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith("type "))
    .map((name) => {
      const [given, local = given] = name.split(/\s+as\s+/);
      if (!places.has(given)) {
        throw new Error(`${path}: ${library} has no ${given}`);
      }
      return `import ${local} from "${places.get(given)}";`;
    });
  return imports.join(" ") + "\n".repeat(lines);
}
