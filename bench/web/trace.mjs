// Evaluates Chromium's trace of the page's main thread and of the drawn frames.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const LONG = 50;
const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "devtools.timeline.frame", "blink.user_timing"];

/** Traces the page while `act` runs. With `frames`, the page requests every frame, as during an animation. */
export async function traced(browser, page, act, { frames = false } = {}) {
  const directory = await mkdtemp(join(tmpdir(), "trace"));
  const path = join(directory, "trace.json");
  try {
    if (frames) await page.evaluate(everyFrame);
    await browser.startTracing(page, { path, categories: process.env.PROFILE ? [...categories, "disabled-by-default-v8.cpu_profiler"] : categories });
    const result = await act();
    await browser.stopTracing();
    if (frames) await page.evaluate(() => (window.everyFrame = false));
    return { result, ...analysed(JSON.parse(await readFile(path, "utf8")).traceEvents) };
  } finally {
    if (!process.env.PROFILE) await rm(directory, { recursive: true });
    else console.error(path);
  }
}

function everyFrame() {
  window.everyFrame = true;
  const next = () => window.everyFrame && requestAnimationFrame(next);
  requestAnimationFrame(next);
}

export function analysed(events) {
  const [pid, tid] = mainThread(events);
  const own = events.filter((one) => one.pid === pid && one.tid === tid);
  const tasks = own.filter((one) => one.ph === "X" && one.name === "RunTask").sort((a, b) => a.ts - b.ts);
  const fired = own.filter((one) => one.name === "FireAnimationFrame").map((one) => one.ts).sort((a, b) => a - b);
  const drawn = distinct(fired);
  const frames = drawn.slice(1).map((end, i) => ({ from: drawn[i], to: end, millis: (end - drawn[i]) / 1000 }));
  const late = frames.filter((one) => one.millis > LONG);
  return {
    events,
    tasks,
    frames: frames.length,
    longestFrame: Math.max(0, ...frames.map((one) => one.millis)),
    late: late.length,
    // Late frames that the page caused: its main thread used more CPU time than LONG during the frame.
    causedByPage: late.filter((one) => cpuWithin(tasks, one.from, one.to) > LONG).length,
    longestTask: Math.max(0, ...tasks.map((one) => one.dur / 1000)),
    longestTaskCpu: Math.max(0, ...tasks.map((one) => (one.tdur ?? 0) / 1000)),
    longTasksCpu: tasks.filter((one) => (one.tdur ?? 0) / 1000 > LONG).length,
    cpu: tasks.reduce((sum, one) => sum + (one.tdur ?? 0) / 1000, 0),
  };
}

/** Merges several callbacks of one frame. */
function distinct(times) {
  return times.filter((time, i) => i === 0 || time - times[i - 1] > 2_000);
}

export function cpuWithin(tasks, from, to) {
  return tasks.filter((one) => one.ts >= from && one.ts < to).reduce((sum, one) => sum + (one.tdur ?? 0) / 1000, 0);
}

/** Returns the events of the page's process, which is the process that ran the most script. */
function mainThread(events) {
  const mains = new Set(events.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain").map((one) => `${one.pid} ${one.tid}`));
  const work = new Map();
  for (const one of events) {
    const thread = `${one.pid} ${one.tid}`;
    if (one.ph === "X" && mains.has(thread) && one.name === "RunTask") work.set(thread, (work.get(thread) ?? 0) + (one.tdur ?? one.dur));
  }
  const most = [...work].sort((a, b) => b[1] - a[1])[0];
  if (!most) throw new Error("the trace has no main thread");
  return most[0].split(" ").map(Number);
}
