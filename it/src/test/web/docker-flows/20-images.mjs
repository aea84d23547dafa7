// Images on the node: pulls an image with progress, uses it in a job, saves an image from a running task, and deletes it.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { chooseImage, submitForm } from "../submit-form.mjs";
import { Registry } from "../registry.mjs";

export const needs = ["registry"];
export const sequential = true;
const WEIGHT = 48 << 20;

export default async function images(fixture) {
  const registry = await Registry.start(fixture);
  await fixture.createSession("admin", fixture.password);
  try {
    const reference = await pull(fixture, registry);
    const job = await use(fixture, reference);
    await saveFromTask(fixture, job);
    await remove(fixture, reference);
  } finally {
    registry.stop();
  }
}

async function pull(fixture, registry) {
  const { page } = fixture;
  const programs = execFileSync("busybox", ["--list"], { encoding: "utf8" }).trim().split("\n").filter((name) => name !== "busybox");
  const files = { "bin/busybox": await readFile("/bin/busybox"), ...Object.fromEntries(programs.map((name) => [`bin/${name}`, "busybox"])) };
  const reference = await registry.push(`lab/tools-${fixture.language}`, "1", { files, bytes: WEIGHT });
  await fixture.go("/images?tab=machine");
  await fixture.button("Pull", "拉取").click();
  await fixture.field("Image", "镜像", fixture.dialog()).fill(reference);
  await fixture.button("Pull", "拉取", fixture.dialog()).click();
  const progress = page.getByRole("progressbar", { name: reference });
  await progress.waitFor();
  await fixture.screenshot("pulling");
  await fixture.text(`${reference} pulled`, `已拉取 ${reference}`).waitFor();
  await fixture.row(reference).getByText(fixture.localized("pulled", "拉取"), { exact: true }).waitFor();
  return reference;
}

async function use(fixture, reference) {
  const name = fixture.unique("tools");
  await fixture.page.getByRole("navigation").getByRole("link", { name: fixture.localized("Submit Job", "提交任务"), exact: true }).click();
  await fixture.field("Job name", "任务名称").fill(name);
  await fixture.field("Command", "命令").fill("echo installed > /installed; sleep 3600");
  await fixture.field("Memory (MiB)", "内存（MiB）").fill("256");
  await chooseImage(fixture, reference);
  await submitForm(fixture);
  await fixture.state(name, "Running", "运行中").waitFor();
  await fixture.link(name, name).click();
  return name;
}

async function saveFromTask(fixture, job) {
  const { page } = fixture;
  const saved = `saved-${fixture.language}:1`;
  await fixture.heading(job, job).waitFor();
  await fixture.button("More actions", "更多操作").click();
  await fixture.menu("Save as image", "保存为镜像").click();
  await fixture.field("Image name", "镜像名称", fixture.dialog()).fill(saved);
  await fixture.button("Save", "保存", fixture.dialog()).click();
  await fixture.text("Image saved", "镜像已保存", fixture.dialog()).waitFor();
  await fixture.button("Close", "关闭", fixture.dialog()).last().click();
  await fixture.button("Stop", "停止").click();
  await fixture.dialog().getByRole("spinbutton").fill("0");
  await fixture.button("Stop", "停止", fixture.dialog()).click();
  await page.getByText(fixture.localized("Stopped", "已停止"), { exact: true }).first().waitFor();
  await fixture.go("/images?tab=machine");
  await fixture.row(saved).getByText(fixture.localized("saved from a task", "由实例保存"), { exact: true }).waitFor();
  await remove(fixture, saved);
}

async function remove(fixture, reference) {
  const row = fixture.row(reference);
  await fixture.button("Delete", "删除", row).click();
  await fixture.button("Delete", "删除", fixture.dialog()).click();
  await row.waitFor({ state: "detached" });
}
