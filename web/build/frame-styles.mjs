// Ant Design's components make their styles when they are first drawn, which is a good part of the
// time until a page can be used. Those of the frame and the list of jobs are made here and are part
// of the page's own style sheet; a note in it, which the library looks for, says which they are.
// They are the same in both themes, as colours are variables; the note names both.
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
      // The theme asks for the window's; the library for Node.js expects its own kind of modules.
      js: 'globalThis.matchMedia = () => ({}); import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const { stylesOf } = await import(pathToFileURL(outfile));
  const [light, dark] = [stylesOf(false), stylesOf(true)];
  const css = light.replace(note, "");
  if (css !== dark.replace(note, "")) {
    throw new Error("the styles of the two themes differ, so they can't be made beforehand");
  }
  const known = new Set([light, dark].flatMap((styles) => note.exec(styles)[1].split(";")));
  return `${css}\n.data-ant-cssinjs-cache-path{content:"${[...known].join(";")}";}\n`;
}
