// The esbuild configuration, shared by the bundle and the development server.
import { build } from "esbuild";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFile } from "node:fs/promises";
import { directImports } from "./direct-imports.mjs";
import { frameStyles } from "./frame-styles.mjs";
import { serverMessages } from "./server-messages.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Bundles into a directory; returns the file names of the prefetch script, of the entry and of the files that the entry imports. */
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
  // Built first because the page contains its URL.
  const worker = await build({ ...shared, entryPoints: ["src/events/worker.ts"] });
  const workerName = outputOf(worker.metafile, "src/events/worker.ts");
  const result = await build({
    ...shared,
    entryPoints: ["src/app/prefetch.ts", "src/app/main.tsx"],
    splitting: true,
    plugins: [messagesPlugin, stylesPlugin(minify), silentIcons, directImports],
    define: { ...shared.define, EVENTS_WORKER: JSON.stringify(`/assets/${basename(workerName)}`) },
  });
  const prefetch = outputOf(result.metafile, "src/app/prefetch.ts");
  const entry = outputOf(result.metafile, "src/app/main.tsx");
  return {
    prefetch: basename(prefetch),
    entry: basename(entry),
    style: basename(result.metafile.outputs[entry].cssBundle),
    preloads: importsOf(result.metafile, entry, new Set(importsOf(result.metafile, prefetch))).map((name) => basename(name)),
    metafile: result.metafile,
  };
}

function outputOf(metafile, source) {
  return Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === source);
}

/** Returns all static imports of an output, so that the browser can request them in parallel. */
function importsOf(metafile, output, found = new Set()) {
  for (const { path, kind } of metafile.outputs[output].imports) {
    if (kind === "import-statement" && !found.has(path)) {
      found.add(path);
      importsOf(metafile, path, found);
    }
  }
  return [...found];
}

/** Module `server-messages:zh`: the server's messages in Chinese, from the server's own message file. */
const messagesPlugin = {
  name: "server messages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^server-messages:/ }, ({ path }) => ({ path, namespace: "messages" }));
    onLoad({ filter: /.*/, namespace: "messages" }, async () => {
      const file = join(root, "../core/model/src/main/resources/dev/trainyard/model/messages_zh.properties");
      return { contents: JSON.stringify(serverMessages(await readFile(file, "utf8"))), loader: "json", watchFiles: [file] };
    });
  },
};

/** Module `frame-styles`, see frame-styles.mjs; empty in development because builds must be fast. */
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
 * Hides Ant Design's icons from screen readers. By default their English names are read, also in
 * Chinese, so that a button would be called "tag Add tag". Our icons are decoration: a button that
 * consists only of an icon has a label of its own.
 */
const silentIcons = {
  name: "silent icons",
  setup({ onLoad }) {
    onLoad({ filter: /@ant-design[/\\]icons[/\\]es[/\\]components[/\\]AntdIcon\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const silent = text.replace(/role: "img",\s*"aria-label": icon\.name/, '"aria-hidden": true');
      if (silent === text) {
        throw new Error("unexpected source of the icon component: " + path);
      }
      return { contents: silent, loader: "js" };
    });
  },
};
