// Measures the first visit of the job list, signed in and with an empty cache: node first-visit.mjs SERVER
import { median, ms, open, table, visitor } from "./browser.mjs";
import { cpuWithin, traced } from "./trace.mjs";

const [server] = process.argv.slice(2);
const TIMES = Number(process.env.TIMES ?? 9);
const row = table("language", "transferred", "usable, median", "worst", "main thread's CPU until then", "longest task, CPU", "limit");

for (const [language, name] of [["en-GB", "English"], ["zh-CN", "Chinese"]]) {
  const runs = [];
  for (let i = 0; i < TIMES; i++) runs.push(await visit(language));
  row(
    name,
    `${Math.round(median(runs.map((one) => one.bytes)) / 1024)} KB`,
    ms(median(runs.map((one) => one.usable))),
    ms(Math.max(...runs.map((one) => one.usable))),
    ms(median(runs.map((one) => one.cpu))),
    ms(median(runs.map((one) => one.longest))),
    "400 KB, 1500 ms",
  );
}

/** Starts a new browser each time, so that no compiled scripts are cached. */
async function visit(language) {
  const browser = await open();
  const { context, page } = await visitor(browser, server, language);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(watchForUse);
  const { result, tasks, events } = await traced(browser, page, async () => {
    await page.goto(`${server}/jobs?scope=all`, { waitUntil: "commit" });
    const usable = await page.waitForFunction(() => window.usableAfter).then((handle) => handle.jsonValue());
    // Waits so that files that are loaded shortly afterwards are counted. The time is fixed because the event stream never ends.
    await page.waitForTimeout(1_500);
    return usable;
  });
  const mark = events.find((one) => one.name === "usable" && one.cat.includes("user_timing"));
  const until = tasks.filter((one) => one.ts < mark.ts);
  await browser.close();
  return { bytes, usable: result, cpu: cpuWithin(tasks, 0, mark.ts), longest: Math.max(...until.map((one) => (one.tdur ?? 0) / 1000)) };
}

/** Records when the page becomes usable: the rows are drawn and the page can process a click. */
function watchForUse() {
  const watch = new MutationObserver(() => {
    if (document.querySelectorAll("table.jobs tbody tr").length >= 20) {
      watch.disconnect();
      requestAnimationFrame(() =>
        setTimeout(() => {
          performance.mark("usable");
          window.usableAfter = performance.now();
        }),
      );
    }
  });
  watch.observe(document, { childList: true, subtree: true });
}
