// From the sign-in page to a finished training with the accuracy in its log, in few clicks.
import assert from "node:assert/strict";

export const long = true;
export const needs = ["torch"];
const MOST_CLICKS = 15;

export default async function digits(fixture) {
  const { page } = fixture;
  const { name, password, token } = await fixture.newUser(fixture.localized("ada", "lihua"));
  await otherJobs(fixture, token);
  await fixture.countClicks();
  await fixture.go("/signin");
  await fixture.field("User name", "用户名").click();
  await page.keyboard.type(name);
  await fixture.field("Password", "密码").click();
  await page.keyboard.type(password);
  await fixture.button("Sign in", "登录").click();
  await page.getByRole("navigation").getByRole("link", { name: fixture.localized("Submit Job", "提交任务"), exact: true }).click();
  await fixture.button("Templates", "模板").click();
  await fixture.dialog().getByRole("button", { name: /digits/i }).first().click();
  await fixture.dialog().waitFor({ state: "hidden" });
  await fixture.button("Submit", "提交").click();
  await page.getByRole("link", { name: /^digits-/ }).click();
  await fixture.tab("Logs", "日志").click();
  const line = page.getByRole("log", { name: fixture.localized("Log", "日志") }).getByText(/accuracy [\d.]+% on 360 pictures/);
  await line.waitFor({ timeout: 120_000 });
  await page.getByText(fixture.localized("Succeeded", "成功"), { exact: true }).first().waitFor();
  const accuracy = Number(/accuracy ([\d.]+)%/.exec(await line.innerText())[1]);
  await fixture.screenshot("log");
  const { clicks } = fixture;
  assert.ok(accuracy > 95, `only ${accuracy}%`);
  assert.ok(clicks > 0 && clicks <= MOST_CLICKS, `${clicks} clicks`);
  console.log(`        ${clicks} clicks to ${accuracy}% in the log`);

  await page.getByRole("navigation").getByRole("link", { name: fixture.localized("Jobs", "任务"), exact: true }).click();
  await fixture.state("digits-", "Succeeded", "成功").waitFor();
  await fixture.screenshot("jobs");
}

/** Submits other jobs for a realistic list. */
async function otherJobs(fixture, token) {
  const submit = (file) => fixture.request("POST", "/jobs", file, token);
  const hello = await submit(fixture.job("hello", "echo hello"));
  const failed = await submit(fixture.job("resnet50-batch256", "echo 'RuntimeError: CUDA out of memory' >&2; exit 1"));
  await submit(fixture.job("bert-finetune", "python3 train.py", { role: { gpuNumber: 8 } }));
  const running = await submit(fixture.job("lstm-baseline", "sleep 3600"));
  await fixture.request("PUT", `/jobs/${running.id}/tags/paper`, undefined, token);
  await fixture.waitForState(hello.id, "SUCCEEDED");
  await fixture.waitForState(failed.id, "FAILED");
}
