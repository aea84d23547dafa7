// Runs the unit tests in test/ with Node's test runner: node build/unit-tests.mjs
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./esbuild.mjs";

const output = join(root, "target/tests");
const tests = (await readdir(join(root, "test"))).filter((name) => /\.test\.(ts|mjs)$/.test(name));
await rm(output, { recursive: true, force: true });
await build({
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  absWorkingDir: root,
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: output,
  outExtension: { ".js": ".mjs" },
  sourcemap: "linked",
  logLevel: "warning",
});
const files = tests.map((name) => join(output, name.replace(/\.\w+$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=dot", ...files], {
  cwd: root,
  stdio: "inherit",
});
process.exit(status ?? 1);
