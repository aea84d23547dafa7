// Measures the job list with 100,000 stored jobs: node many-jobs.mjs SERVER
import { median, ms, open, table, visitor } from "./browser.mjs";
import { traced } from "./trace.mjs";

const [server] = process.argv.slice(2);
const TIMES = Number(process.env.TIMES ?? 5);
const row = table("action", "median", "worst", "main thread's CPU", "longest task, CPU");
const browser = await open();
const { page } = await visitor(browser, server);

const firsts = [];
for (let i = 0; i < TIMES; i++) {
  const { context, page: fresh } = await visitor(browser, server);
  firsts.push(await step(fresh, () => fresh.goto(`${server}/jobs?scope=all`, { waitUntil: "commit" })));
  await context.close();
}
show("first visit, empty cache", firsts);

await page.goto(`${server}/jobs?scope=all`);
await page.waitForFunction(() => document.querySelectorAll("table.jobs tbody tr").length >= 20);
// Uses DOM functions, because locators of the test library would use CPU time of the page's main thread.
const click = (selector) => page.evaluate((one) => document.querySelector(one).click(), selector);
const search = page.getByRole("searchbox");
await repeated("next page", () => click(".jobs-pages .ant-pagination-next"));
await repeated("last page, and back", (i) => go(i % 2 ? "" : "&page=2000"));
await repeated("sort by name", () => click("table.jobs th:nth-child(2) button"));
await repeated("sort by state", () => click("table.jobs th:nth-child(3) button"));
await repeated("search while typing (waits 300 ms for more input)", (i) => search.fill(`train-${9 - i}${i}`));
await repeated("filter by state", (i) => go(`&state=${["FAILED", "STOPPED", "SUCCEEDED"][i % 3]}`));
await browser.close();

async function repeated(name, act) {
  const runs = [];
  for (let i = 0; i < TIMES; i++) {
    const before = await page.evaluate(() => document.querySelector("table.jobs tbody").textContent);
    runs.push(await step(page, () => act(i), before));
  }
  show(name, runs);
}

function show(name, runs) {
  row(name, ms(median(runs.map((one) => one.millis))), ms(Math.max(...runs.map((one) => one.millis))), ms(median(runs.map((one) => one.cpu))), ms(Math.max(...runs.map((one) => one.longestTaskCpu))));
}

/** Navigates like a link within the page. */
function go(query) {
  return page.evaluate((to) => history.pushState(null, "", to), `/jobs?scope=all${query}`);
}

/** Measures the time from the action to the frame that shows other rows, with the clock of this program. */
async function step(on, act, before = null) {
  const seen = await traced(browser, on, async () => {
    const begun = performance.now();
    await act();
    await on.waitForFunction((old) => {
      const rows = document.querySelectorAll("table.jobs:not(.jobs-stale) tbody tr");
      return rows.length >= 20 && rows[0].parentNode.textContent !== old;
    }, before);
    await on.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    return performance.now() - begun;
  });
  return { millis: seen.result, ...seen };
}
