// Measures the smoothness of scrolling in a log of 100 MB: node log-scroll.mjs SERVER JOB
import { ms, open, table, visitor } from "./browser.mjs";
import { traced } from "./trace.mjs";

const [server, job] = process.argv.slice(2);
const browser = await open();
const { page } = await visitor(browser, server);
const row = table("action", "frames", "over 50 ms; limit 0", "longest frame", "longest task", "its CPU");

const started = performance.now();
await page.goto(`${server}/jobs/admin/${job}?tab=logs`);
await page.getByRole("log").getByText("step 1 ", { exact: false }).first().waitFor();
const shown = performance.now() - started;

await measured("wheel, 300 notches", async () => {
  await page.getByRole("log").hover();
  for (let i = 0; i < 300; i++) await page.mouse.wheel(0, 400);
});
await measured("scroll bar, from beginning to end in 10 s", () =>
  page.evaluate(async () => {
    const box = document.querySelector("[role=log]");
    const start = performance.now();
    for (let now = start; now - start < 10_000; now = performance.now()) {
      box.scrollTop = ((now - start) / 10_000) * (box.scrollHeight - box.clientHeight);
      await new Promise(requestAnimationFrame);
    }
  }));
await measured("200 jumps", () =>
  page.evaluate(async () => {
    const box = document.querySelector("[role=log]");
    for (let i = 0; i < 200; i++) {
      box.scrollTop = ((i * 7919) % 1000) / 1000 * (box.scrollHeight - box.clientHeight);
      await new Promise((done) => setTimeout(done, 30));
    }
  }));
const heap = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
console.log(`\nFirst lines after ${ms(shown)}, ${await page.locator(".log-count").innerText()}; heap ${Math.round(heap / 1048576)} MiB after it.`);
await browser.close();

async function measured(name, act) {
  const seen = await traced(browser, page, act, { frames: true });
  row(name, seen.frames, seen.late, ms(seen.longestFrame), ms(seen.longestTask), ms(seen.longestTaskCpu));
}
