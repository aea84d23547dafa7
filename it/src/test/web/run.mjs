// node run.mjs SERVER ADMIN_PASSWORD SCREENSHOTS [FLOW]: drives the page in a real browser through
// every file in flows/, in both languages, by what a person sees.
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { World } from "./world.mjs";

const [server, password, screenshots, only] = process.argv.slice(2);
await mkdir(screenshots, { recursive: true });
const files = (await readdir(new URL("flows/", import.meta.url))).filter((name) => name.endsWith(".mjs")).sort();

let failed = 0;
for (const file of files.filter((name) => !only || name.includes(only))) {
  const { default: flow } = await import(`./flows/${file}`);
  for (const language of ["en", "zh"]) {
    const world = await World.open({ server, password, screenshots, language });
    const began = Date.now();
    try {
      await flow(world);
      world.check();
      console.log(`ok      ${file} ${language} (${Date.now() - began} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${file} ${language}: ${error.stack}`);
      await world.page.screenshot({ path: join(screenshots, `failed-${file}-${language}.png`) }).catch(() => {});
      console.log(`at ${world.page.url()}\n${world.complaints.slice(-5).join("\n")}\n${await world.visibleText()}`);
    }
    await world.close();
  }
}
console.log(failed === 0 ? "all went well" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
