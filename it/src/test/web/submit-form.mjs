// Steps on the submit page that several flows use.
import assert from "node:assert/strict";

/** Replaces the text in the editor and saves it to the form. */
export async function saveInEditor(fixture, text) {
  const { page } = fixture;
  await page.getByRole("button", { name: /^(JSON|YAML)$/ }).click();
  await page.getByRole("textbox", { name: fixture.localized("Job file text", "任务文件的文本") }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
  await fixture.button("Save", "保存").click();
}

/** Waits until the form shows this job. */
export async function expectForm(fixture, job) {
  const [role] = job.taskRoles;
  await expectValue(fixture.field("Job name", "任务名称"), job.jobName);
  await expectValue(fixture.field("Docker images", "Docker 镜像名称"), job.image);
  await expectValue(fixture.field("Task role name", "任务角色名称"), role.name);
  await expectValue(fixture.field("Number of tasks", "实例数量"), String(role.taskNumber));
  await expectValue(fixture.field("CPU", "CPU"), String(role.cpuNumber));
  await expectValue(fixture.field("Memory (MiB)", "内存（MiB）"), String(role.memoryMB));
  await expectValue(fixture.field("GPU", "GPU"), String(role.gpuNumber));
  await expectValue(fixture.field("Command", "命令"), role.command);
}

/** Waits until the field has the value. */
export async function expectValue(field, value) {
  await field.waitFor();
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const now = await field.inputValue();
    if (now === value) return;
    if (Date.now() > end) assert.equal(now, value);
  }
}

/** Opens the option list of a select field, regardless of its value. */
export async function choices(field) {
  await field.focus();
  await field.press("ArrowDown");
}

export async function chooseImage(fixture, name, page = fixture.page) {
  await choices(page.getByRole("combobox", { name: fixture.localized("Docker image", "Docker 镜像"), exact: true }));
  await page.getByTitle(name, { exact: true }).locator("visible=true").last().click();
}

/** Selects Custom and enters the name of an image. */
export async function customImage(fixture, name, page = fixture.page) {
  const field = fixture.field("Docker images", "Docker 镜像名称", page);
  if (!(await field.isVisible())) {
    await chooseImage(fixture, fixture.localized("Custom", "自定义"), page);
    // The field must receive the focus automatically, because users continue typing.
    await page.waitForFunction((element) => document.activeElement === element, await field.elementHandle());
  }
  await field.fill(name);
}

export async function submitForm(fixture, page = fixture.page) {
  await fixture.button("Submit", "提交", page).click();
  await page.waitForURL(/\/jobs$/);
  await fixture.heading("Jobs", "任务", page).waitFor();
}
