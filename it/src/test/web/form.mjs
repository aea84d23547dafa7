// What several flows do on the page where jobs are submitted.
import assert from "node:assert/strict";

/** Writes into the editor instead of what is there, and saves that into the form. */
export async function saveInEditor(world, text) {
  const { page } = world;
  await page.getByRole("button", { name: /^(JSON|YAML)$/ }).click();
  await page.getByRole("textbox", { name: world.say("Job file text", "任务文件的文本") }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
  await world.button("Save", "保存").click();
}

/** The form shows this job. */
export async function expectForm(world, job) {
  const [role] = job.taskRoles;
  await expectValue(world.field("Job name", "任务名称"), job.jobName);
  await expectValue(world.field("Docker images", "Docker 镜像名称"), job.image);
  await expectValue(world.field("Task role name", "任务角色名称"), role.name);
  await expectValue(world.field("Task number", "实例数量"), String(role.taskNumber));
  await expectValue(world.field("CPU", "CPU"), String(role.cpuNumber));
  await expectValue(world.field("Memory (MB)", "内存（MB）"), String(role.memoryMB));
  await expectValue(world.field("GPU", "GPU"), String(role.gpuNumber));
  await expectValue(world.field("Command", "命令"), role.command);
}

/** It is so, or soon will be. */
export async function expectValue(field, value) {
  await field.waitFor();
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const now = await field.inputValue();
    if (now === value) return;
    if (Date.now() > end) assert.equal(now, value);
  }
}

/** Opens a field of choices, whatever stands in it. */
export async function choices(field) {
  await field.focus();
  await field.press("ArrowDown");
}

export async function chooseImage(world, name, page = world.page) {
  await choices(page.getByRole("combobox", { name: world.say("Docker image", "Docker 镜像"), exact: true }));
  await page.getByTitle(name, { exact: true }).locator("visible=true").last().click();
}

/** Any image by its name, as the lab's users choose it. */
export async function customImage(world, name, page = world.page) {
  const field = world.field("Docker images", "Docker 镜像名称", page);
  if (!(await field.isVisible())) {
    await chooseImage(world, world.say("Custom", "自定义"), page);
    // Who chooses that goes on typing: the keyboard is there by itself.
    await page.waitForFunction((element) => document.activeElement === element, await field.elementHandle());
  }
  await field.fill(name);
}

export async function submitForm(world, page = world.page) {
  await world.button("Submit", "提交", page).click();
  await page.waitForURL(/\/jobs$/);
  await world.heading("Jobs", "任务", page).waitFor();
}
