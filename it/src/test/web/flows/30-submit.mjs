// The form and the editor show the same job file; problems are shown at their fields; no input is lost.
import assert from "node:assert/strict";
import { expectValue, saveInEditor } from "../submit-form.mjs";

export default async function submit(fixture) {
  const { name, password } = await fixture.newUser();
  await fixture.createSession(name, password);
  await formAndEditorAgree(fixture);
  await problemLinksToField(fixture);
}

/** Fields that the form does not show are kept when the form changes the file. */
async function formAndEditorAgree(fixture) {
  const { page } = fixture;
  await fixture.go("/submit");
  await saveInEditor(fixture, JSON.stringify({ ...fixture.job("both-ways", "true"), dataDir: "/tmp/data", extras: { kept: [1, "two"] } }, null, 4));
  await expectValue(fixture.field("Data directory", "数据目录"), "/tmp/data");
  await fixture.field("Data directory", "数据目录").fill("/tmp/other");
  await fixture.button("JSON", "JSON").click();
  const text = await page.getByRole("textbox", { name: fixture.localized("Job file text", "任务文件的文本") }).innerText();
  assert.match(text, /"kept"/);
  assert.match(text, /\/tmp\/other/);
  await fixture.screenshot("editor");
  await fixture.button("Save", "保存").click();
}

/** A problem is listed above the form, links to its field and is shown at the field. */
async function problemLinksToField(fixture) {
  const { page } = fixture;
  const name = fixture.field("Job name", "任务名称");
  await name.fill("not a name!");
  await fixture.button("Submit", "提交").click();
  const summary = page.getByRole("alert").filter({ hasText: fixture.localized("to fix", "需要修正") });
  await summary.waitFor();
  await summary.getByRole("button").filter({ hasText: "jobName" }).click();
  assert.equal(await name.evaluate((field) => field === document.activeElement), true);
  assert.equal(await name.getAttribute("aria-invalid"), "true");

  await page.reload();
  await expectValue(name, "not a name!");
  await expectValue(fixture.field("Data directory", "数据目录"), "/tmp/other");
}
