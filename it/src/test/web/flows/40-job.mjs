// The page of a job: live log, address of the task, terminal, stop, and history.
// An exported flow takes { page, baseUrl, language } of a signed-in user and uses only visible labels.
import assert from "node:assert/strict";

const words = {
  en: {
    logs: "Logs", tasks: "Tasks", terminal: "Terminal", events: "Events", attempts: "Attempts", config: "Configuration", files: "Files",
    running: "Running", stopped: "Stopped", stop: "Stop", openTerminal: "Open terminal", search: "Search the log", log: "Log",
    terminalIn: /^Terminal in /, submitted: "Submitted", first: "First start", address: "IP address", label: "Search the log", masked: "Secrets are masked.",
    firstError: "First error", zip: "Download as ZIP", whole: "Show full line",
  },
  zh: {
    logs: "日志", tasks: "实例", terminal: "终端", events: "事件", attempts: "尝试", config: "配置", files: "文件",
    running: "运行中", stopped: "已停止", stop: "停止", openTerminal: "打开终端", search: "搜索日志", log: "日志",
    terminalIn: / 的终端$/, submitted: "已提交", first: "首次启动", address: "IP 地址", label: "搜索日志", masked: "密钥已隐藏。",
    firstError: "首个错误", zip: "打包下载 ZIP", whole: "查看整行",
  },
};

/** Prints control sequences, markup, direction marks, a progress bar, a long line and an error. */
const commands = [
  "printf '\\033[31mred\\033[0m <img src=x onerror=\"window.pwned=1\"> \\342\\200\\256turned\\007\\n'",
  "printf 'progress 1%%\\rprogress 100%%\\n'",
  "head -c 30000 /dev/zero | tr '\\0' y; echo",
  "echo ValueError:\\ made-up",
  "for i in $(seq 1 6000); do echo tick $i; sleep 0.2; done",
];

/** Submits the job as the page does, with the session cookie and the CSRF token. */
async function submit(page, name) {
  const file = JSON.stringify({
    protocolVersion: 2, name, type: "job",
    prerequisites: [{ name: "image", type: "dockerimage", uri: "trainyard-test/busybox" }],
    secrets: { password: "never-to-be-seen" },
    taskRoles: { main: { instances: 1, dockerImage: "image", resourcePerInstance: { cpu: 1, memoryMB: 256, gpu: 0 }, commands } },
  });
  return page.evaluate(async (body) => {
    const csrf = document.cookie.split("; ").find((one) => one.startsWith("trainyard_csrf=")).slice("trainyard_csrf=".length);
    const answer = await fetch("/api/v3/jobs", { method: "POST", body, headers: { "X-CSRF-Token": decodeURIComponent(csrf) } });
    return { status: answer.status, ...(await answer.json()) };
  }, file);
}

const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

/** With `byAddress`, opens the job by its URL instead of through the list of jobs. */
export async function jobPage({ page, baseUrl, language, byAddress = false }) {
  const w = words[language];
  const name = `page-${language}-${Date.now()}`;
  await page.goto(baseUrl + "/jobs");
  const job = await submit(page, name);
  assert.equal(job.status, 201, JSON.stringify(job));
  if (byAddress) {
    await page.goto(`${baseUrl}/jobs/${job.user}/${name}`);
  } else {
    await page.getByRole("link", { name, exact: true }).click({ timeout: 30_000 });
  }
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await page.getByText(w.running, { exact: true }).first().waitFor({ timeout: 60_000 });
  await liveLog(page, w);
  await taskAddress(page, w);
  await terminal(page, w);
  await tab(page, w.config);
  await page.getByText(w.masked).waitFor();
  assert.ok(!(await page.content()).includes("never-to-be-seen"));
  await stop(page, w);
  await history(page, w);
}

async function liveLog(page, w) {
  await tab(page, w.logs);
  const log = page.getByRole("log", { name: w.log });
  await log.getByText(/^tick \d+$/).first().waitFor({ timeout: 30_000 });
  const before = await lastTick(log);
  await page.waitForFunction(([label, least]) => {
    const ticks = [...document.querySelector(`[role=log][aria-label="${label}"]`).innerText.matchAll(/tick (\d+)/g)];
    return Number(ticks.at(-1)?.[1] ?? 0) > least;
  }, [w.log, before], { timeout: 30_000 });

  // The log must show a hostile line as text.
  await page.getByLabel(w.search).fill("onerror");
  await page.getByLabel(w.search).press("Enter");
  await retry(async () => {
    await page.getByLabel(w.search).press("Enter");
    await log.getByText("<img src=x", { exact: false }).first().waitFor({ timeout: 1_500 });
  });
  assert.equal(await log.locator("img").count(), 0);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  const text = await log.innerText();
  assert.match(text, /progress 100%/);
  assert.doesNotMatch(text, /progress 1%/);
  assert.match(text, /⟨U\+202E⟩turned␇/);
  assert.match(text, /28,000/);
  await page.getByLabel(w.search).fill("");
  await page.getByRole("button", { name: w.firstError }).click();
  await log.getByText("ValueError: made-up").waitFor();
}

async function lastTick(log) {
  return Number([...(await log.innerText()).matchAll(/tick (\d+)/g)].at(-1)?.[1] ?? 0);
}

async function taskAddress(page, w) {
  await tab(page, w.tasks);
  await page.getByRole("columnheader", { name: w.address }).first().waitFor();
  await page.getByRole("cell", { name: /\d+\.\d+\.\d+\.\d+/ }).first().waitFor();
}

async function terminal(page, w) {
  await tab(page, w.terminal);
  await page.getByRole("button", { name: w.openTerminal }).click();
  const screen = page.getByRole("group", { name: w.terminalIn });
  await screen.getByText(/[#$]/).first().waitFor({ timeout: 30_000 });
  await page.keyboard.type("echo answer $((6 * 7))\r");
  await screen.getByText("answer 42").first().waitFor({ timeout: 15_000 });
}

async function stop(page, w) {
  await page.getByRole("button", { name: labelled(w.stop) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("spinbutton").fill("0");
  await dialog.getByRole("button", { name: labelled(w.stop) }).click();
  await page.getByText(w.stopped, { exact: true }).first().waitFor({ timeout: 60_000 });
}

async function history(page, w) {
  await tab(page, w.events);
  await page.getByRole("cell", { name: w.submitted, exact: true }).waitFor();
  await page.getByRole("cell", { name: w.stopped, exact: true }).waitFor();
  await tab(page, w.attempts);
  await page.getByRole("cell", { name: w.first, exact: true }).waitFor();
}

/**
 * Returns a pattern for the label of a button. An icon may be part of the name of the button, and Ant Design separates the
 * characters of a label of two Chinese characters.
 */
function labelled(text) {
  return new RegExp(`(^|\\s)${[...text].join("\\s?")}$`);
}

async function retry(act, times = 8) {
  for (let i = 1; ; i++) {
    try {
      return await act();
    } catch (error) {
      if (i === times) throw error;
    }
  }
}

/** Runs the flow as a new user. */
export default async function job(fixture) {
  const { name, password } = await fixture.newUser();
  await fixture.signIn(name, password);
  await jobPage({ page: fixture.page, baseUrl: fixture.server, language: fixture.language });
}
