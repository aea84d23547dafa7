// From the sign-in page to a finished training with its accuracy in the log, in a few clicks.
import assert from "node:assert/strict";

export const long = true;
export const needs = ["torch"];
const MOST_CLICKS = 15;

export default async function digits(world) {
  const { page } = world;
  const { name, password, token } = await world.newUser(world.say("ada", "lihua"));
  await otherJobs(world, token);
  await world.countClicks();
  await world.go("/signin");
  await world.field("User name", "用户名").click();
  await page.keyboard.type(name);
  await world.field("Password", "密码").click();
  await page.keyboard.type(password);
  await world.button("Sign in", "登录").click();
  await page.getByRole("navigation").getByRole("link", { name: world.say("Submit Job", "提交任务"), exact: true }).click();
  await world.button("Templates", "模板").click();
  await world.dialog().getByRole("button", { name: /digits/i }).first().click();
  await world.dialog().waitFor({ state: "hidden" });
  await world.button("Submit", "提交").click();
  await page.getByRole("link", { name: /^digits-/ }).click();
  await world.tab("Logs", "日志").click();
  const line = page.getByRole("log", { name: world.say("Log", "日志") }).getByText(/accuracy [\d.]+% on 360 pictures/);
  await line.waitFor({ timeout: 120_000 });
  await page.getByText(world.say("Succeeded", "成功"), { exact: true }).first().waitFor();
  const accuracy = Number(/accuracy ([\d.]+)%/.exec(await line.innerText())[1]);
  await world.screenshot("log");
  const { clicks } = world;
  assert.ok(accuracy > 95, `only ${accuracy}%`);
  assert.ok(clicks > 0 && clicks <= MOST_CLICKS, `${clicks} clicks`);
  console.log(`        ${clicks} clicks to ${accuracy}% in the log`);

  await page.getByRole("navigation").getByRole("link", { name: world.say("Jobs", "任务"), exact: true }).click();
  await world.state("digits-", "Succeeded", "成功").waitFor();
  await world.screenshot("jobs");
}

/** What else somebody may have in their list. */
async function otherJobs(world, token) {
  const submit = (file) => world.ask("POST", "/jobs", file, token);
  const hello = await submit(world.job("hello", "echo hello"));
  const failed = await submit(world.job("resnet50-batch256", "echo 'RuntimeError: CUDA out of memory' >&2; exit 1"));
  await submit(world.job("bert-finetune", "python3 train.py", { role: { gpuNumber: 8 } }));
  const running = await submit(world.job("lstm-baseline", "sleep 3600"));
  await world.ask("PUT", `/jobs/${running.id}/tags/paper`, undefined, token);
  await world.jobIs(hello.id, "SUCCEEDED");
  await world.jobIs(failed.id, "FAILED");
}
