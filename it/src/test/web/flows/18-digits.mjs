// From the sign-in page to a finished training with its accuracy in the log, in a few clicks.
import assert from "node:assert/strict";

export const needs = ["torch"];
const MOST_CLICKS = 15;

export default async function digits(world) {
  const { page } = world;
  const { name, password } = await world.newUser();
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
  await page.getByRole("link", { name: /^digits/ }).click();
  await world.tab("Logs", "日志").click();
  const line = page.getByRole("log", { name: world.say("Log", "日志") }).getByText(/accuracy [\d.]+% on 360 pictures/);
  await line.waitFor({ timeout: 120_000 });
  await page.getByText(world.say("Succeeded", "成功"), { exact: true }).first().waitFor();
  const accuracy = Number(/accuracy ([\d.]+)%/.exec(await line.innerText())[1]);
  await world.screenshot("log");
  assert.ok(accuracy > 95, `only ${accuracy}%`);
  assert.ok(world.clicks > 0 && world.clicks <= MOST_CLICKS, `${world.clicks} clicks`);
  console.log(`        ${world.clicks} clicks to ${accuracy}% in the log`);
}
