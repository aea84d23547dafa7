// What a job may begin with: a file that is dropped or imported, an own template, an image of the catalogue, of a registry, or any.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { choices, chooseImage, customImage, expectForm, expectValue, submitForm } from "../form.mjs";
import { Registry } from "../registry.mjs";

export const needs = ["registry"];

export default async function startFrom(world) {
  const { name, password } = await world.newUser();
  await world.signedIn(name, password);
  await fileFillsForm(world);
  await ownTemplate(world);
  await imageOfAnyKind(world);
}

async function fileFillsForm(world) {
  const { page } = world;
  const job = world.job("dropped", "echo line one\necho line two");
  await world.go("/submit");
  await world.field("Job name", "任务名称").waitFor();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "<b>job</b>.json", { type: "application/json" }));
    for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, JSON.stringify(job));
  await expectForm(world, job);
  await world.text("Imported <b>job</b>.json.", "已将 <b>job</b>.json 填入表单。").waitFor();

  const yaml = "protocolVersion: 2\nname: imported\ntype: job\nsecrets: '******'\nprerequisites:\n  - {name: image, type: dockerimage, uri: 'trainyard-test/busybox'}\n"
    + "taskRoles:\n  worker:\n    instances: 2\n    dockerImage: image\n    resourcePerInstance: {cpu: 1, memoryMB: 128, gpu: 0}\n    commands: ['echo hi']\n";
  const chooser = page.waitForEvent("filechooser");
  await world.button("Import", "导入").click();
  await (await chooser).setFiles({ name: "job.yaml", mimeType: "application/yaml", buffer: Buffer.from(yaml) });
  await expectValue(world.field("Job name", "任务名称"), "imported");
  await expectValue(world.field("Task number", "实例数量"), "2");
  // As of a job that is cloned: all of its secrets are one mask.
  await page.getByRole("button", { name: world.say("Add secret", "添加密钥") }).click();

  const download = page.waitForEvent("download");
  await world.button("Export", "导出").click();
  await world.menu("As JSON", "导出为 JSON").click();
  const saved = JSON.parse(await readFile(await (await download).path(), "utf8"));
  assert.equal(saved.taskRoles.worker.instances, 2);
  assert.deepEqual(saved.secrets, { NAME_1: "" });
  await world.button("Remove NAME_1", "移除 NAME_1").click();
}

async function ownTemplate(world) {
  const { page } = world;
  const name = world.unique("mine");
  await world.button("Export", "导出").click();
  await world.menu("Save as template", "另存为模板").click();
  await world.field("Template name", "模板名称").fill(name);
  await world.field("Description", "说明", world.dialog()).fill("<i>for later</i>");
  await world.button("Save", "保存", world.dialog()).click();
  await world.text(`Saved template ${name}.`, `已保存模板 ${name}。`).waitFor();

  await world.field("Job name", "任务名称").fill("something-else");
  await world.button("Templates", "模板").click();
  const list = world.dialog().filter({ hasText: world.say("My templates", "我的模板") });
  await list.getByText("<i>for later</i>").waitFor();
  await world.button(name, name, list).click();
  await world.button("Replace", "替换").click();
  await list.waitFor({ state: "hidden" });
  assert.match(await world.field("Job name", "任务名称").inputValue(), /^imported-\d{4}-\d{6}$/);

  await world.button("Templates", "模板").click();
  await world.button(`Delete template ${name}`, `删除模板 ${name}`, list).click();
  await world.button("Delete", "删除", page.getByRole("tooltip")).click();
  await list.getByText(name).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
}

async function imageOfAnyKind(world) {
  const { page } = world;
  const short = world.unique("short");
  await world.asAdmin("POST", "/images", { name: short, reference: "trainyard-test/busybox", description: "for tests" });
  const registry = await Registry.start(world);
  try {
    await registry.push("lab/pytorch", "2.4", {});
    await world.asAdmin("POST", "/registries", { host: registry.host, plainHttp: true, description: "the lab's" });
    await world.go("/submit");
    await world.field("Job name", "任务名称").fill("images");
    await world.field("Command", "命令").fill("echo $PAI_JOB_NAME");
    await customImage(world, "any.example.org/image:1");
    await world.button("Registry", "镜像仓库").click();
    const browser = world.dialog().filter({ hasText: world.say("Registry", "镜像仓库") });
    // Whatever other registries there are.
    await choices(browser.getByRole("combobox", { name: world.say("Registry", "镜像仓库") }));
    await page.getByTitle(`${registry.host} — the lab's`).locator("visible=true").last().click();
    await world.button("lab/pytorch", "lab/pytorch", browser).click();
    await world.button("2.4", "2.4", browser).click();
    await expectValue(world.field("Docker images", "Docker 镜像名称"), `${registry.host}/lab/pytorch:2.4`);
    await chooseImage(world, `${short} — for tests`);
    await submitForm(world);
    await world.state("images", "Succeeded", "成功").waitFor();
  } finally {
    await world.asAdmin("DELETE", `/registries/${registry.host}`).catch(() => {});
    registry.stop();
  }
}
