// Submitting a job: JSON fills the form, the form leads to Jobs, and the job is followed there without a reload.
// An exported flow takes { page, baseUrl, language }, of somebody who is signed in, and knows what it does by visible labels only.
import assert from "node:assert/strict";

const words = {
  en: {
    menu: "Submit Job", json: "JSON", save: "Save", submit: "Submit", name: "Job name", image: "Docker images", command: "Command",
    jobs: "Jobs", editor: "The text of the job file", dataDir: "Data directory", outputDir: "Output directory", role: "Task role name",
    waiting: /Waiting|Preparing/, running: "Running", succeeded: "Succeeded", corrected: /to be corrected/, addRole: "Add role",
  },
  zh: {
    menu: "提交任务", json: "JSON", save: "保存", submit: "提交", name: "任务名称", image: "Docker 镜像名称", command: "命令",
    jobs: "任务", editor: "任务文件的文本", dataDir: "数据目录", outputDir: "输出目录", role: "任务角色名称",
    waiting: /排队中|准备中/, running: "运行中", succeeded: "成功", corrected: /需要更正/, addRole: "添加角色",
  },
};

/** Seed documents' own flow: paste the JSON, save, look at the form, submit. */
export async function submitByJson({ page, baseUrl, language }) {
  const w = words[language];
  const name = `flow-${language}-${Date.now()}`;
  const job = {
    jobName: name,
    image: "openpai/pai.example.tensorflow",
    dataDir: "/tmp/data",
    outputDir: "/tmp/output",
    extras: { kept: [1, "two"] },
    taskRoles: [
      { name: "cifar_train", taskNumber: 1, cpuNumber: 1, memoryMB: 256, gpuNumber: 0, command: "echo $PAI_DATA_DIR; sleep 6; echo done" },
    ],
  };
  await page.goto(baseUrl + "/jobs");
  await page.getByRole("navigation").getByRole("link", { name: w.menu, exact: true }).click();
  await page.getByRole("button", { name: w.json, exact: true }).click();
  await replace(page, w, JSON.stringify(job, null, 4));
  await page.getByRole("button", { name: named(w.save) }).click();

  await expectValue(page, w.name, name);
  await expectValue(page, w.image, job.image);
  await expectValue(page, w.dataDir, "/tmp/data");
  await expectValue(page, w.outputDir, "/tmp/output");
  await expectValue(page, w.role, "cifar_train");
  await expectValue(page, w.command, job.taskRoles[0].command);

  // What the form does not show survives a change made in it.
  await page.getByLabel(w.dataDir, { exact: true }).fill("/tmp/other");
  await page.getByRole("button", { name: w.json, exact: true }).click();
  const text = await page.getByRole("textbox", { name: w.editor }).innerText();
  assert.match(text, /"kept"/);
  assert.match(text, /\/tmp\/other/);
  await page.getByRole("button", { name: named(w.save) }).click();

  await page.getByRole("button", { name: named(w.submit) }).click();
  await page.waitForURL(/\/jobs/);
  await follow(page, w, name);
}

/** A refusal is shown above, leads to the field, and stands at the field. */
export async function refusalLeadsToField({ page, baseUrl, language }) {
  const w = words[language];
  await page.goto(baseUrl + "/submit");
  await page.getByLabel(w.name, { exact: true }).fill("not a name!");
  await page.getByRole("button", { name: named(w.submit) }).click();
  const summary = page.getByRole("alert").filter({ hasText: w.corrected });
  await summary.waitFor();
  await summary.getByRole("button").filter({ hasText: "jobName" }).click();
  assert.equal(await page.getByLabel(w.name, { exact: true }).evaluate((field) => field === document.activeElement), true);
  assert.equal(await page.getByLabel(w.name, { exact: true }).getAttribute("aria-invalid"), "true");

  // Nothing typed is lost by a reload.
  await page.reload();
  await expectValue(page, w.name, "not a name!");
}

async function follow(page, w, name) {
  const row = page.getByRole("row").filter({ hasText: name });
  await row.waitFor();
  const marker = await page.evaluate(() => (window.stillTheSamePage = true));
  assert.equal(marker, true);
  await row.getByText(w.running).waitFor({ timeout: 60_000 });
  await row.getByText(w.succeeded).waitFor({ timeout: 60_000 });
  assert.equal(await page.evaluate(() => window.stillTheSamePage), true);
}

async function replace(page, w, text) {
  const editor = page.getByRole("textbox", { name: w.editor });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

async function expectValue(page, label, value) {
  const field = page.getByLabel(label, { exact: true });
  await field.waitFor();
  assert.equal(await field.inputValue(), value);
}

/** Ant Design puts a blank between two Chinese characters of a button. */
function named(text) {
  return new RegExp(`^${[...text].join("\\s?")}$`);
}

/** By a new user. */
export default async function submit(world) {
  const { name, password } = await world.newUser();
  await world.signIn(name, password);
  const there = { page: world.page, baseUrl: world.server, language: world.language };
  await submitByJson(there);
  await refusalLeadsToField(there);
}
