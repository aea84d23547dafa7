// `import { Button } from "antd"` names a file that names all components. esbuild leaves out those
// that nobody uses, but what is used anywhere would be loaded everywhere, as every page reaches that
// one file. So our own files import components from where they are: those that nearly every page
// needs from one place, which becomes one file to load, and each of the others by itself.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(import.meta.url);
const barrel = "antd/es/index.js";
const importing = /import\s*\{([^}]*)\}\s*from\s*"antd";?/g;

/** The frame and the list of jobs use these. */
const together = [
  "Alert", "App", "Button", "ConfigProvider", "Dropdown", "Empty", "Input", "Layout", "Menu", "Modal", "Pagination",
  "Segmented", "Select", "Spin", "theme",
];

export const directImports = {
  name: "direct imports",
  async setup({ onLoad, onResolve }) {
    const places = await components();
    onResolve({ filter: /^antd-together$/ }, ({ path }) => ({ path, namespace: "together", sideEffects: false }));
    onLoad({ filter: /.*/, namespace: "together" }, () => ({
      contents: together.map((name) => `export { default as ${name} } from "${places.get(name)}";`).join("\n"),
      resolveDir: dirname(require.resolve("antd/package.json")),
    }));
    onLoad({ filter: /[/\\]src[/\\].*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replace(importing, (_, names) => direct(names, places, path));
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

async function components() {
  const text = await readFile(require.resolve(barrel), "utf8");
  const found = text.matchAll(/export \{ default as (\w+) \} from ["']\.\/([\w-]+)["']/g);
  return new Map([...found].map(([, name, place]) => [name, `${dirname(barrel)}/${place}`]));
}

/** As many lines as before, so that errors tell the right ones. */
function direct(names, places, path) {
  const lines = names.split("\n").length - 1;
  const imports = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith("type "))
    .map((name) => {
      const [given, local = given] = name.split(/\s+as\s+/);
      if (!places.has(given)) {
        throw new Error(`${path}: antd has no ${given}`);
      }
      return together.includes(given)
        ? `import { ${given} as ${local} } from "antd-together";`
        : `import ${local} from "${places.get(given)}";`;
    });
  return imports.join(" ") + "\n".repeat(lines);
}
