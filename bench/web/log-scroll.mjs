// How smoothly a log of 100 MB scrolls: node bench/web/log-scroll.mjs BASE_URL USER PASSWORD_FILE [JOB]
// Prints the frames' times (by requestAnimationFrame) and the long tasks of the page. Needs playwright-core (NODE_PATH or
// PLAYWRIGHT=directory of its node_modules) and Chromium (CHROMIUM, /usr/bin/chromium). Without JOB it submits one that
// prints 100 MB and waits for its end.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [baseUrl, user, passwordFile, given] = process.argv.slice(2);
const { chromium } = createRequire((process.env.PLAYWRIGHT ?? process.cwd()) + "/")("playwright-core");
const MOST_MILLIS = 50;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 1360, height: 850 }, locale: "en-GB" });
await page.goto(baseUrl + "/signin");
await page.locator("input").first().fill(user);
await page.locator("input[type=password]").fill(readFileSync(passwordFile, "utf8").trim());
await page.locator("button[type=submit]").click();
await page.waitForURL("**/jobs");
const job = given ?? (await submitted());

await page.goto(`${baseUrl}/jobs/${user}/${job}?tab=logs`);
const before = Date.now();
await page.getByRole("log").getByText("step 1 ", { exact: false }).first().waitFor({ timeout: 120_000 });
console.log(`first lines shown after ${Date.now() - before} ms`);
console.log(await page.locator(".log-count").innerText());

const figures = [];
figures.push(await measured("wheel, 300 notches", async () => {
  await page.getByRole("log").hover();
  for (let i = 0; i < 300; i++) await page.mouse.wheel(0, 400);
}));
figures.push(await measured("scroll bar, through the whole log in 10 s", () =>
  page.evaluate(async () => {
    const box = document.querySelector("[role=log]");
    const begun = performance.now();
    for (let now = begun; now - begun < 10_000; now = performance.now()) {
      box.scrollTop = ((now - begun) / 10_000) * (box.scrollHeight - box.clientHeight);
      await new Promise(requestAnimationFrame);
    }
  })));
figures.push(await measured("200 jumps", () =>
  page.evaluate(async () => {
    const box = document.querySelector("[role=log]");
    for (let i = 0; i < 200; i++) {
      box.scrollTop = ((i * 7919) % 1000) / 1000 * (box.scrollHeight - box.clientHeight);
      await new Promise((done) => setTimeout(done, 30));
    }
  })));
console.table(figures);
const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
console.log(`heap ${(memory / 1048576).toFixed(0)} MiB, requests for the log ${await page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.includes("/logs/")).length)}`);
await browser.close();
process.exitCode = figures.some((one) => one["longest task ms"] > MOST_MILLIS) ? 1 : 0;

/** Frames between two callbacks of the browser, and the work of the page within them. */
async function measured(name, act) {
  await page.evaluate(() => {
    window.frames_ = [];
    window.tasks_ = [0];
    window.going_ = true;
    window.watch_ ??= new PerformanceObserver((list) => list.getEntries().forEach((one) => window.tasks_.push(one.duration)));
    window.watch_.observe({ entryTypes: ["longtask"] });
    let last = performance.now();
    const next = (now) => {
      window.frames_.push(now - last);
      last = now;
      if (window.going_) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await act();
  return page.evaluate((what) => {
    window.going_ = false;
    const frames = window.frames_.slice(1).sort((a, b) => a - b);
    const at = (share) => Math.round(frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? 0);
    return {
      what,
      frames: frames.length,
      "median ms": at(0.5),
      "99 % ms": at(0.99),
      "longest frame ms": at(1),
      "frames over 50 ms": frames.filter((one) => one > 50).length,
      "longest task ms": Math.round(Math.max(...window.tasks_)),
    };
  }, name);
}

async function submitted() {
  const name = `log-${Date.now()}`;
  const line = "%07d step %d loss=0.%06d accuracy=0.%06d some text to fill the line up to hundred bytes or so\\n";
  const file = JSON.stringify({
    protocolVersion: 2, name, type: "job",
    prerequisites: [{ name: "image", type: "dockerimage", uri: "trainyard-test/busybox" }],
    taskRoles: {
      main: {
        instances: 1, dockerImage: "image", resourcePerInstance: { cpu: 1, memoryMB: 256, gpu: 0 },
        commands: [`seq 1 1100000 | awk '{printf "${line}",$1,$1,$1%999983,($1*7)%999983}'`],
      },
    },
  });
  await page.evaluate(async (body) => {
    const csrf = document.cookie.split("; ").find((one) => one.startsWith("trainyard_csrf=")).slice("trainyard_csrf=".length);
    await fetch("/api/v3/jobs", { method: "POST", body, headers: { "X-CSRF-Token": decodeURIComponent(csrf) } });
  }, file);
  await page.waitForFunction(async (id) => (await (await fetch(`/api/v3/jobs/${id}`)).json()).state === "SUCCEEDED", `${user}~${name}`, { timeout: 180_000, polling: 1000 });
  return name;
}
