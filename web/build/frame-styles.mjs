// Ant Design's components generate their styles at first render, which takes a large part of the time
// until a page is usable. The styles of the frame and of the list of jobs are generated at build time
// and included in the page's style sheet, with a marker that tells the library which styles exist.
// The styles are the same in both themes because colors are variables; the marker names both themes.
import { build } from "esbuild";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const note = /\.data-ant-cssinjs-cache-path\{content:"([^"]*)";\}/;

export async function frameStyles(root) {
  const outfile = join(root, "target/frame-styles.mjs");
  await build({
    bundle: true,
    platform: "node",
    format: "esm",
    absWorkingDir: root,
    entryPoints: ["build/frame-styles-entry.mjs"],
    outfile,
    logLevel: "warning",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    mainFields: ["module", "main"],
    banner: {
      // The theme calls matchMedia; CommonJS packages need require.
      js: 'globalThis.matchMedia = () => ({}); import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const { stylesOf } = await import(pathToFileURL(outfile));
  const [light, dark] = [stylesOf(false), stylesOf(true)];
  const css = light.replace(note, "");
  if (css !== dark.replace(note, "")) {
    throw new Error("the styles of the two themes differ, so they cannot be generated at build time");
  }
  const known = new Set([light, dark].flatMap((styles) => note.exec(styles)[1].split(";")));
  return `${css}\n.data-ant-cssinjs-cache-path{content:"${[...known].join(";")}";}\n`;
}
