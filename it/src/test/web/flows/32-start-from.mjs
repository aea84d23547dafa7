// Ways to create a job: from a dropped or imported file, from a template of the user, or with an image of the catalog, of a
// registry or any other image.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { choices, chooseImage, customImage, expectForm, expectValue, submitForm } from "../submit-form.mjs";
import { Registry } from "../registry.mjs";

export const needs = ["registry"];

export default {
  async file(fixture) {
    await signIn(fixture);
    await fileFillsForm(fixture);
    await ownTemplate(fixture);
  },
  async image(fixture) {
    await signIn(fixture);
    await imageOfAnyKind(fixture);
  },
};

async function signIn(fixture) {
  const { name, password } = await fixture.newUser();
  await fixture.createSession(name, password);
}

async function fileFillsForm(fixture) {
  const { page } = fixture;
  const job = fixture.job("dropped", "echo line one\necho line two");
  await fixture.go("/submit");
  await fixture.field("Job name", "任务名称").waitFor();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "<b>job</b>.jsonc", { type: "application/json" }));
    for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, `// with a comment\n${JSON.stringify(job)}`);
  await expectForm(fixture, job);
  await fixture.text("Imported <b>job</b>.jsonc.", "已将 <b>job</b>.jsonc 填入表单。").waitFor();

  const yaml = "protocolVersion: 2\nname: imported\ntype: job\nsecrets: '******'\nprerequisites:\n  - {name: image, type: dockerimage, uri: 'trainyard-test/busybox'}\n"
    + "taskRoles:\n  worker:\n    instances: 2\n    dockerImage: image\n    resourcePerInstance: {cpu: 1, memoryMB: 128, gpu: 0}\n    commands: ['echo hi']\n";
  const chooser = page.waitForEvent("filechooser");
  await fixture.button("Import", "导入").click();
  await (await chooser).setFiles({ name: "job.yaml", mimeType: "application/yaml", buffer: Buffer.from(yaml) });
  await expectValue(fixture.field("Job name", "任务名称"), "imported");
  await expectValue(fixture.field("Number of tasks", "实例数量"), "2");
  // As in a cloned job, one mask replaces all secrets.
  await page.getByRole("button", { name: fixture.localized("Add secret", "添加密钥") }).click();

  const download = page.waitForEvent("download");
  await fixture.button("Export", "导出").click();
  await fixture.menu("As JSON", "导出为 JSON").click();
  const saved = JSON.parse(await readFile(await (await download).path(), "utf8"));
  assert.equal(saved.taskRoles.worker.instances, 2);
  assert.deepEqual(saved.secrets, { NAME_1: "" });
  await fixture.button("Remove NAME_1", "移除 NAME_1").click();
}

async function ownTemplate(fixture) {
  const { page } = fixture;
  const name = fixture.unique("mine");
  await fixture.button("Export", "导出").click();
  await fixture.menu("Save as template", "另存为模板").click();
  await fixture.field("Template name", "模板名称").fill(name);
  await fixture.field("Description", "说明", fixture.dialog()).fill("<i>for later</i>");
  await fixture.button("Save", "保存", fixture.dialog()).click();
  await fixture.text(`Saved template ${name}.`, `已保存模板 ${name}。`).waitFor();

  await fixture.field("Job name", "任务名称").fill("something-else");
  await fixture.button("Templates", "模板").click();
  const list = fixture.dialog().filter({ hasText: fixture.localized("My templates", "我的模板") });
  await list.getByText("<i>for later</i>").waitFor();
  await fixture.button(name, name, list).click();
  await fixture.button("Replace", "替换").click();
  await list.waitFor({ state: "hidden" });
  assert.match(await fixture.field("Job name", "任务名称").inputValue(), /^imported-\d{4}-\d{6}$/);

  await fixture.button("Templates", "模板").click();
  await fixture.button(`Delete template ${name}`, `删除模板 ${name}`, list).click();
  await fixture.button("Delete", "删除", page.getByRole("tooltip")).click();
  await list.getByText(name).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
}

async function imageOfAnyKind(fixture) {
  const { page } = fixture;
  const short = fixture.unique("short");
  await fixture.requestAsAdmin("POST", "/images", { name: short, reference: "trainyard-test/busybox", description: "for tests" });
  const registry = await Registry.start(fixture);
  try {
    await registry.push("lab/pytorch", "2.4", {});
    await fixture.requestAsAdmin("POST", "/registries", { host: registry.host, plainHttp: true, description: "the lab's" });
    await fixture.go("/submit");
    await fixture.field("Job name", "任务名称").fill("images");
    await fixture.field("Command", "命令").fill("echo $PAI_JOB_NAME");
    await customImage(fixture, "any.example.org/image:1");
    await fixture.button("Registry", "镜像仓库").click();
    const browser = fixture.dialog().filter({ hasText: fixture.localized("Registry", "镜像仓库") });
    // Other registries may exist.
    await choices(browser.getByRole("combobox", { name: fixture.localized("Registry", "镜像仓库") }));
    await page.getByTitle(`${registry.host} — the lab's`).locator("visible=true").last().click();
    await fixture.button("lab/pytorch", "lab/pytorch", browser).click();
    await fixture.button("2.4", "2.4", browser).click();
    await expectValue(fixture.field("Docker images", "Docker 镜像名称"), `${registry.host}/lab/pytorch:2.4`);
    await chooseImage(fixture, `${short} — for tests`);
    await submitForm(fixture);
    await fixture.state("images", "Succeeded", "成功").waitFor();
  } finally {
    await fixture.requestAsAdmin("DELETE", `/registries/${registry.host}`).catch(() => {});
    registry.stop();
  }
}
