// What esbuild is told, the same for the packed page and while developing.
import { build } from "esbuild";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFile } from "node:fs/promises";
import { directImports } from "./direct-imports.mjs";
import { frameStyles } from "./frame-styles.mjs";
import { serverWords } from "./server-words.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Bundles into a directory; returns the names of what runs first, of the entry and of what it needs at once. */
export async function bundle(directory, { minify }) {
  const shared = {
    bundle: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    absWorkingDir: root,
    outdir: directory,
    minify,
    sourcemap: minify ? false : "linked",
    metafile: true,
    legalComments: "linked",
    logLevel: "warning",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    loader: { ".md": "text" },
    define: { "process.env.NODE_ENV": minify ? '"production"' : '"development"' },
  };
  // Its address is needed by the page, so it comes first.
  const worker = await build({ ...shared, entryPoints: ["src/events/worker.ts"] });
  const workerName = outputOf(worker.metafile, "src/events/worker.ts");
  const result = await build({
    ...shared,
    entryPoints: ["src/app/ahead.ts", "src/app/main.tsx"],
    splitting: true,
    plugins: [wordsPlugin, stylesPlugin(minify), silentIcons, directImports],
    define: { ...shared.define, EVENTS_WORKER: JSON.stringify(`/assets/${basename(workerName)}`) },
  });
  const ahead = outputOf(result.metafile, "src/app/ahead.ts");
  const entry = outputOf(result.metafile, "src/app/main.tsx");
  return {
    ahead: basename(ahead),
    entry: basename(entry),
    style: basename(result.metafile.outputs[entry].cssBundle),
    preloads: importsOf(result.metafile, entry, new Set(importsOf(result.metafile, ahead))).map((name) => basename(name)),
    metafile: result.metafile,
  };
}

function outputOf(metafile, source) {
  return Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === source);
}

/** Everything an output imports before it runs, so that the browser asks for all of it at once. */
function importsOf(metafile, output, found = new Set()) {
  for (const { path, kind } of metafile.outputs[output].imports) {
    if (kind === "import-statement" && !found.has(path)) {
      found.add(path);
      importsOf(metafile, path, found);
    }
  }
  return [...found];
}

/** `server-words:zh`: what the server says, in Chinese, from the messages that it has itself. */
const wordsPlugin = {
  name: "server words",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^server-words:/ }, ({ path }) => ({ path, namespace: "words" }));
    onLoad({ filter: /.*/, namespace: "words" }, async () => {
      const file = join(root, "../core/model/src/main/resources/dev/trainyard/model/messages_zh.properties");
      return { contents: JSON.stringify(serverWords(await readFile(file, "utf8"))), loader: "json", watchFiles: [file] };
    });
  },
};

/** `frame-styles`: see frame-styles.mjs. Not while developing, where building has to be quick. */
function stylesPlugin(wanted) {
  return {
    name: "frame styles",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^frame-styles$/ }, ({ path }) => ({ path, namespace: "styles" }));
      onLoad({ filter: /.*/, namespace: "styles" }, async () => ({
        contents: wanted ? await frameStyles(root) : "",
        loader: "css",
      }));
    },
  };
}

/**
 * Ant Design's icons say their English names to screen readers, so that a button would be called
 * "tag Add tag", in Chinese too. Ours are decoration: whatever is only an icon has a label of its own.
 */
const silentIcons = {
  name: "silent icons",
  setup({ onLoad }) {
    onLoad({ filter: /@ant-design[/\\]icons[/\\]es[/\\]components[/\\]AntdIcon\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const silent = text.replace(/role: "img",\s*"aria-label": icon\.name/, '"aria-hidden": true');
      if (silent === text) {
        throw new Error("the icons have changed: " + path);
      }
      return { contents: silent, loader: "js" };
    });
  },
};
