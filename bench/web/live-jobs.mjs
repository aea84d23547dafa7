// Measures the job list while some of a thousand running jobs finish and new ones start: node live-jobs.mjs SERVER
import { ms, open, table, visitor } from "./browser.mjs";
import { traced } from "./trace.mjs";

const [server] = process.argv.slice(2);
const SECONDS = Number(process.env.DURATION ?? 20);
const row = table(`list shown for ${SECONDS} s`, "changes seen", "frames", "over 50 ms", "of these caused by the page; limit 0", "longest frame", "longest task", "its CPU", "CPU per second");
const browser = await open();
for (const [name, query] of [
  ["newest 50 (the default)", "?scope=all"],
  ["newest 100", "?scope=all&size=100"],
  ["100 running jobs, by name", "?scope=all&size=100&state=RUNNING&sort=name"],
  ["newest 100, scrolling", "?scope=all&size=100"],
]) {
  await measure(name, query);
}
await browser.close();

async function measure(name, query) {
  const { context, page } = await visitor(browser, server);
  await page.goto(`${server}/jobs${query}`);
  await page.waitForFunction(() => document.querySelectorAll("table.jobs tbody tr").length >= 50);
  // Waits so that the loading of the page, which first-visit.mjs measures, is excluded.
  await page.waitForTimeout(3_000);
  await page.evaluate(countChanges);
  const seen = await traced(browser, page, () => (name.endsWith("scrolling") ? scroll(page) : page.waitForTimeout(SECONDS * 1000)), { frames: true });
  const changes = await page.evaluate(() => window.changes);
  if (changes < SECONDS) throw new Error(`only ${changes} changes: nothing was measured`);
  row(
    name,
    changes,
    seen.frames,
    seen.late,
    seen.causedByPage,
    ms(seen.longestFrame),
    ms(seen.longestTask),
    ms(seen.longestTaskCpu),
    ms(seen.cpu / SECONDS),
  );
  await context.close();
}

function countChanges() {
  window.changes = 0;
  new MutationObserver((list) => {
    window.changes += list.filter(({ target, type }) => type === "childList" ? target.tagName === "TBODY" : String(target.className).startsWith("state ")).length;
  }).observe(document.querySelector("table.jobs"), { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
}

async function scroll(page) {
  await page.mouse.move(700, 500);
  const end = Date.now() + SECONDS * 1000;
  for (let down = true; Date.now() < end; down = !down) {
    for (let i = 0; i < 20 && Date.now() < end; i++) {
      await page.mouse.wheel(0, down ? 120 : -120);
      await page.waitForTimeout(30);
    }
  }
}
