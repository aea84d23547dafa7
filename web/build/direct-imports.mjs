// `import { Button } from "antd"` names a file that names all components. esbuild leaves out those
// that nobody uses, but what is used anywhere would be loaded everywhere, as every page reaches that
// one file. So our own files import components from where they are: those that nearly every page
// needs from one place, which becomes one file to load, and each of the others by itself. It is the
// same with icons.
//
// What the frame needs would become many small files, one for each set of pages that need the same.
// Every page is told to need all of the frame, which is there already, and of the list of jobs, where
// nearly everybody begins; so these become one file each.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const require = createRequire(import.meta.url);
const barrel = "antd/es/index.js";
const icons = /import\s*\{([^}]*)\}\s*from\s*"@ant-design\/icons";?/g;
const loading = /\bimport\("(\.[^"]+)"\)/g;
const importing = /import\s*\{([^}]*)\}\s*from\s*"antd";?/g;

/** The frame and the list of jobs use these. */
const together = [
  "Alert", "App", "Button", "ConfigProvider", "Dropdown", "Empty", "Layout", "Menu", "Modal", "Pagination",
  "Segmented", "Select", "Spin", "theme",
];

export const directImports = {
  name: "direct imports",
  async setup({ onLoad, onResolve, initialOptions }) {
    const places = await components();
    const source = join(initialOptions.absWorkingDir, "src");
    const frame = ["app/App", "jobs/JobsPage"].map((name) => join(source, name));
    const pages = await loadedPages(source);
    onResolve({ filter: /^antd-together$/ }, ({ path }) => ({ path, namespace: "together", sideEffects: false }));
    onLoad({ filter: /.*/, namespace: "together" }, () => ({
      contents: together.map((name) => `export { default as ${name} } from "${places.get(name)}";`).join("\n"),
      resolveDir: dirname(require.resolve("antd/package.json")),
    }));
    onLoad({ filter: /[/\\]src[/\\].*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents =
        text
          .replace(importing, (_, names) => direct(names, (name) => component(name, places, path)))
          .replace(icons, (_, names) => direct(names, (name) => `@ant-design/icons/es/icons/${name}`)) +
        (pages.has(path.replace(/\.tsx?$/, "")) ? frame.map((name) => `\nimport ${JSON.stringify(name)};`).join("") : "");
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

async function components() {
  const text = await readFile(require.resolve(barrel), "utf8");
  const found = text.matchAll(/export \{ default as (\w+) \} from ["']\.\/([\w-]+)["']/g);
  return new Map([...found].map(([, name, place]) => [name, `${dirname(barrel)}/${place}`]));
}

/** What is loaded when needed, by `import("…")`, without endings of names. */
async function loadedPages(source) {
  const found = new Set();
  for (const file of await readdir(source, { recursive: true })) {
    if (/\.tsx?$/.test(file)) {
      const path = join(source, file);
      for (const [, name] of (await readFile(path, "utf8")).matchAll(loading)) {
        found.add(resolve(dirname(path), name));
      }
    }
  }
  return found;
}

function component(name, places, path) {
  if (!places.has(name)) {
    throw new Error(`${path}: antd has no ${name}`);
  }
  return together.includes(name) ? null : places.get(name);
}

/** As many lines as before, so that errors tell the right ones. */
function direct(names, placeOf) {
  const lines = names.split("\n").length - 1;
  const imports = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith("type "))
    .map((name) => {
      const [given, local = given] = name.split(/\s+as\s+/);
      const place = placeOf(given);
      return place ? `import ${local} from "${place}";` : `import { ${given} as ${local} } from "antd-together";`;
    });
  return imports.join(" ") + "\n".repeat(lines);
}
