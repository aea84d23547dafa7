// `import { Button } from "antd"` imports from a file that exports all components. esbuild removes
// unused components, but a component that one page uses would be loaded by every page, because all
// pages import that file. This plugin therefore rewrites the imports of our own files: components that
// nearly every page needs come from one shared module, which becomes one file, and each of the others
// from its own module. Icons are handled in the same way.
//
// esbuild would split the code of the frame into many small files, one for each set of pages that share
// it. To avoid this, every page imports the whole frame, which is already loaded, and the list of jobs,
// where most visits start, so that each of them becomes one file.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const require = createRequire(import.meta.url);
const barrel = "antd/es/index.js";
const icons = /import\s*\{([^}]*)\}\s*from\s*"@ant-design\/icons";?/g;
const loading = /\bimport\("(\.[^"]+)"\)/g;
const importing = /import\s*\{([^}]*)\}\s*from\s*"antd";?/g;

/** Components that the frame and the list of jobs use. */
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

/** Returns the modules that are loaded on demand by `import("…")`, without file extensions. */
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

/** Returns the rewritten imports with the same number of lines, so that line numbers in errors stay correct. */
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
