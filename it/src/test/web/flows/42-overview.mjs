// The overview of a job shows what most users look for. For a failed job, the page has one box with the cause, one click runs the
// job again, and the list names the diagnosis. All bars show the used share. The configuration is shown in a normalized form.
// Keys focus the search and list the shortcuts.
import assert from "node:assert/strict";

export default { failure, running, bars, configuration, keys };

const IMPORT = "echo starting; echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1";

async function signedIn(fixture) {
  const user = await fixture.newUser();
  await fixture.createSession(user.name, user.password);
  return user;
}

async function failure(fixture) {
  const { page } = fixture;
  const { name, token } = await signedIn(fixture);
  const { id } = await fixture.request("POST", "/jobs", fixture.job("broken", IMPORT), token);
  await fixture.waitForState(id, "FAILED");
  await fixture.go("/jobs");
  await fixture.row("broken").getByText(fixture.localized("Python cannot import a module", "Python 无法导入模块")).waitFor();
  await fixture.screenshot("jobs-diagnosis");
  await columnsFillTheWindow(fixture);
  await fixture.link("broken", "broken").click();
  const boxes = page.locator(".job-overview > .ant-alert");
  await boxes.first().getByText(fixture.localized("does not use the image", "不使用镜像")).waitFor();
  assert.equal(await boxes.count(), 1, "one box per cause");
  assert.doesNotMatch(await boxes.innerText(), /an image that contains|包含该模块的镜像/);
  await page.getByText(IMPORT).waitFor();
  await page.getByLabel(fixture.localized("Standard error", "标准错误"), { exact: true }).getByText("No module named").waitFor();
  await fixture.screenshot("overview-failed");
  await fixture.button("Rerun", "重新运行").click();
  await fixture.heading("broken-2", "broken-2").waitFor();
  await fixture.waitForState(`${name}~broken-2`, "FAILED");
}

/**
 * In a wide window, the name and the state share the width that the other columns do not need, so that the diagnosis is not
 * truncated.
 */
async function columnsFillTheWindow({ page }) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1600, height: 800 });
  const [table, available, shown, whole] = await page.locator(".jobs").evaluate((one) => {
    const reason = one.querySelector(".job-reason");
    return [one.offsetWidth, one.parentElement.clientWidth, reason.clientWidth, reason.scrollWidth];
  });
  assert.equal(table, available);
  assert.ok(shown > 300 && whole <= shown, `${whole} pixels in ${shown}`);
  await page.setViewportSize(before);
}

async function running(fixture) {
  const { page } = fixture;
  const { name, token } = await signedIn(fixture);
  const { id } = await fixture.request("POST", "/jobs", fixture.job("busy", "echo first line; sleep 600"), token);
  await fixture.waitForState(id, "RUNNING");
  await fixture.go(`/jobs/${name}/busy`);
  await page.getByLabel(fixture.localized("Standard output", "标准输出"), { exact: true }).or(page.getByText("first line", { exact: true })).first().waitFor();
  await page.locator(".job-address").filter({ hasText: /\d+\.\d+\.\d+\.\d+:\d+/ }).first().waitFor();
  await fixture.screenshot("overview-running");
  await fixture.requestAsAdmin("POST", `/jobs/${id}/stop?graceSeconds=0`);
}

/** The bars of the home page and of the cluster page show the same value: the used share. */
async function bars(fixture) {
  const { page } = fixture;
  const { name, token } = await signedIn(fixture);
  const { id } = await fixture.request("POST", "/jobs", fixture.job("user-of-cpus", "sleep 600", { role: { cpuNumber: 2 } }), token);
  await fixture.waitForState(id, "RUNNING");
  for (const path of ["/", "/cluster"]) {
    await fixture.go(path);
    const bar = page.getByRole("progressbar", { name: /^CPU.*\d/ }).first();
    await bar.waitFor();
    const [label, percent] = await bar.evaluate((one) => [one.getAttribute("aria-label"), one.getAttribute("aria-valuenow")]);
    const [free, all] = label.match(/\d+/g).map(Number);
    assert.ok(free < all, label);
    assert.equal(Number(percent), Math.round((100 * (all - free)) / all), `${path}: ${label}`);
  }
  const jobs = page.getByRole("table").filter({ hasText: "user-of-cpus" });
  await jobs.getByRole("row").filter({ hasText: "user-of-cpus" }).getByText(name).waitFor();
  await page.getByText(fixture.localized(/network.*shared with the host/i, /网络.*与主机共用/)).first().waitFor();
  await fixture.screenshot("cluster");
  await fixture.requestAsAdmin("POST", `/jobs/${id}/stop?graceSeconds=0`);
}

async function configuration(fixture) {
  const { page } = fixture;
  const { name, token } = await signedIn(fixture);
  const job = fixture.job("one", `echo a\n# ${"x".repeat(400)}\necho b`);
  await fixture.request("POST", "/jobs", JSON.stringify(job), token);
  const { taskRoles, ...rest } = { ...job, jobName: "two" };
  await fixture.request("POST", "/jobs", JSON.stringify({ taskRoles, ...rest }, null, 4), token);
  await fixture.go(`/jobs/${name}/one?tab=config`);
  const code = page.locator(".job-code");
  await code.getByText("echo b", { exact: false }).waitFor();
  assert.match(await code.innerText(), /command: \|-/);
  assert.equal(await code.evaluate((box) => box.scrollWidth > box.clientWidth), false, "long lines are wrapped");
  await fixture.go(`/jobs/${name}/two?tab=config&with=${name}~one`);
  await page.locator(".code-line.added").first().waitFor();
  assert.equal(await page.locator(".code-line.added, .code-line.removed").count(), 2, "only the names differ");
  await fixture.screenshot("config-diff");
}

async function keys(fixture) {
  const { page } = fixture;
  await signedIn(fixture);
  await fixture.go("/cluster");
  await fixture.heading("Cluster", "集群").waitFor();
  await page.keyboard.press("?");
  await fixture.dialog().getByText(fixture.localized("Keyboard shortcuts", "键盘快捷键")).waitFor();
  await fixture.screenshot("shortcuts");
  await page.keyboard.press("Escape");
  await fixture.dialog().waitFor({ state: "hidden" });
  await page.keyboard.press("/");
  await page.waitForURL(/\/jobs$/);
  const search = fixture.field("Search by name, user or virtual cluster", "搜索名称、用户或虚拟集群");
  await search.waitFor();
  await page.waitForFunction((element) => document.activeElement === element, await search.elementHandle());
  await page.keyboard.type("a/b?");
  assert.equal(await search.inputValue(), "a/b?", "a field receives the keys");
  await fixture.go("/docs/api");
  await page.getByRole("link", { name: "← Trainyard" }).click();
  await page.waitForURL(`${fixture.server}/**`);
  await page.getByRole("banner").getByRole("link", { name: "Trainyard" }).waitFor();
}
