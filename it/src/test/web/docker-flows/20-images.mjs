// Images on the machine: pulled with its progress, used by a job, made from a running task, deleted.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { chooseImage, submitForm } from "../form.mjs";
import { Registry } from "../registry.mjs";

export const needs = ["registry"];
export const inTurn = true;
const WEIGHT = 48 << 20;

export default async function images(world) {
  const registry = await Registry.start(world);
  await world.signedIn("admin", world.password);
  try {
    const reference = await pull(world, registry);
    const job = await use(world, reference);
    await makeAnother(world, job);
    await remove(world, reference);
  } finally {
    registry.stop();
  }
}

async function pull(world, registry) {
  const { page } = world;
  const programs = execFileSync("busybox", ["--list"], { encoding: "utf8" }).trim().split("\n").filter((name) => name !== "busybox");
  const files = { "bin/busybox": await readFile("/bin/busybox"), ...Object.fromEntries(programs.map((name) => [`bin/${name}`, "busybox"])) };
  const reference = await registry.push(`lab/tools-${world.language}`, "1", { files, bytes: WEIGHT });
  await world.go("/images?tab=machine");
  await world.button("Pull", "拉取").click();
  await world.field("Image", "镜像", world.dialog()).fill(reference);
  await world.button("Pull", "拉取", world.dialog()).click();
  const progress = page.getByRole("progressbar", { name: reference });
  await progress.waitFor();
  await world.screenshot("pulling");
  await world.text(`${reference} pulled`, `已拉取 ${reference}`).waitFor();
  await world.row(reference).getByText(world.say("pulled", "拉取"), { exact: true }).waitFor();
  return reference;
}

async function use(world, reference) {
  const name = world.unique("tools");
  await world.page.getByRole("navigation").getByRole("link", { name: world.say("Submit Job", "提交任务"), exact: true }).click();
  await world.field("Job name", "任务名称").fill(name);
  await world.field("Command", "命令").fill("echo installed > /installed; sleep 3600");
  await world.field("Memory (MB)", "内存（MB）").fill("256");
  await chooseImage(world, reference);
  await submitForm(world);
  await world.state(name, "Running", "运行中").waitFor();
  await world.link(name, name).click();
  return name;
}

async function makeAnother(world, job) {
  const { page } = world;
  const made = `made-${world.language}:1`;
  await world.heading(job, job).waitFor();
  await world.button("More actions", "更多操作").click();
  await world.menu("Save as image", "保存为镜像").click();
  await world.field("Image name", "镜像名称", world.dialog()).fill(made);
  await world.button("Save", "保存", world.dialog()).click();
  await world.text("Image saved", "镜像已保存", world.dialog()).waitFor();
  await world.button("Close", "关闭", world.dialog()).last().click();
  await world.button("Stop", "停止").click();
  await world.dialog().getByRole("spinbutton").fill("0");
  await world.button("Stop", "停止", world.dialog()).click();
  await page.getByText(world.say("Stopped", "已停止"), { exact: true }).first().waitFor();
  await world.go("/images?tab=machine");
  await world.row(made).getByText(world.say("saved from a task", "由实例保存"), { exact: true }).waitFor();
  await remove(world, made);
}

async function remove(world, reference) {
  const row = world.row(reference);
  await world.button("Delete", "删除", row).click();
  await world.button("Delete", "删除", world.dialog()).click();
  await row.waitFor({ state: "detached" });
}
