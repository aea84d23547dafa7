// Runs all checks of the page: node build/check.mjs. They run in parallel; the output of each is printed when it ends.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./esbuild.mjs";
import { writeApiTypes } from "./write-api-types.mjs";

const typescript = "node_modules/typescript/bin/tsc";
const eslint = "lint/node_modules/eslint/bin/eslint.js";
const checks = [
  [typescript, "--noEmit"],
  [typescript, "--noEmit", "-p", "test"],
  [eslint, "--config", "lint/eslint.config.mjs", "src", "test"],
  ["build/lint-texts.mjs"],
  ["build/lint-styles.mjs"],
  ["build/unit-tests.mjs"],
];

if (!existsSync(join(root, eslint))) {
  console.error("ESLint is not installed: run npm ci --ignore-scripts in web/lint");
  process.exit(1);
}
await writeApiTypes();
const failed = (await Promise.all(checks.map(run))).filter((ok) => !ok).length;
process.exit(failed === 0 ? 0 : 1);

function run(command) {
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(process.execPath, command, { cwd: root });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
    child.on("close", (code) => {
      if (code !== 0) {
        process.stderr.write(Buffer.concat(output));
        console.error(`${command.join(" ")} failed`);
      }
      resolve(code === 0);
    });
  });
}
