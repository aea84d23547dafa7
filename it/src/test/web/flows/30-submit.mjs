// The form and the editor are two views of one file; what is refused is told where it is; nothing typed is lost.
import assert from "node:assert/strict";
import { expectValue, saveInEditor } from "../form.mjs";

export default async function submit(world) {
  const { name, password } = await world.newUser();
  await world.signedIn(name, password);
  await bothWays(world);
  await refusalLeadsToField(world);
}

/** What the form does not show survives a change made in it. */
async function bothWays(world) {
  const { page } = world;
  await world.go("/submit");
  await saveInEditor(world, JSON.stringify({ ...world.job("both-ways", "true"), dataDir: "/tmp/data", extras: { kept: [1, "two"] } }, null, 4));
  await expectValue(world.field("Data directory", "数据目录"), "/tmp/data");
  await world.field("Data directory", "数据目录").fill("/tmp/other");
  await world.button("JSON", "JSON").click();
  const text = await page.getByRole("textbox", { name: world.say("Job file text", "任务文件的文本") }).innerText();
  assert.match(text, /"kept"/);
  assert.match(text, /\/tmp\/other/);
  await world.screenshot("editor");
  await world.button("Save", "保存").click();
}

/** A refusal is shown above, leads to the field, and stands at the field. */
async function refusalLeadsToField(world) {
  const { page } = world;
  const name = world.field("Job name", "任务名称");
  await name.fill("not a name!");
  await world.button("Submit", "提交").click();
  const summary = page.getByRole("alert").filter({ hasText: world.say("to fix", "需要修正") });
  await summary.waitFor();
  await summary.getByRole("button").filter({ hasText: "jobName" }).click();
  assert.equal(await name.evaluate((field) => field === document.activeElement), true);
  assert.equal(await name.getAttribute("aria-invalid"), "true");

  await page.reload();
  await expectValue(name, "not a name!");
  await expectValue(world.field("Data directory", "数据目录"), "/tmp/other");
}
