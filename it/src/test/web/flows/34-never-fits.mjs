// A job that can never run on this server: before the submission, the form says why, and one click adapts the requested
// resources. If the job is submitted nevertheless, it is marked in the list and on its page. Problems name the labels of the
// form.
import assert from "node:assert/strict";
import { expectValue, saveInEditor, submitForm } from "../submit-form.mjs";

/** The first job of the seed documents, but with more GPUs than any test host has. */
const seed = {
  jobName: "tensorflow-cifar10",
  image: "openpai/pai.example.tensorflow",
  dataDir: "/tmp/data",
  outputDir: "/tmp/output",
  taskRoles: [{ name: "cifar_train", taskNumber: 1, cpuNumber: 1, memoryMB: 300, gpuNumber: 4_000, command: "echo trained" }],
};

export default { adaptInForm, submitNevertheless, problemsNameLabels };

async function signedIn(fixture) {
  const user = await fixture.newUser();
  await fixture.createSession(user.name, user.password);
  return user;
}

function cannotRunAlert(fixture) {
  return fixture.page.getByRole("alert").filter({ hasText: fixture.localized("This job cannot run on this cluster", "该任务无法在本集群运行") });
}

const RUN_WITHOUT = ["Run without a GPU", "不使用 GPU 运行"];

async function adaptInForm(fixture) {
  await signedIn(fixture);
  await fixture.go("/submit");
  await saveInEditor(fixture, JSON.stringify(seed, null, 2));
  const alert = cannotRunAlert(fixture);
  await alert.waitFor({ timeout: 5_000 });
  const gpus = fixture.field("GPU", "GPU");
  assert.equal(await gpus.getAttribute("aria-invalid"), "true");
  await fixture.screenshot("never-fits");
  await fixture.button(...RUN_WITHOUT, alert).click();
  await expectValue(gpus, "0");
  await alert.waitFor({ state: "detached" });
  assert.equal(await gpus.getAttribute("aria-invalid"), "false");
  await submitForm(fixture);
  await fixture.state(seed.jobName, "Succeeded", "成功").waitFor();
}

async function submitNevertheless(fixture) {
  const { page } = fixture;
  const { name } = await signedIn(fixture);
  await fixture.go("/submit");
  await saveInEditor(fixture, JSON.stringify(seed, null, 2));
  await fixture.button("Submit", "提交").click();
  await fixture.button("Submit anyway", "仍然提交", fixture.dialog()).click();
  await page.waitForURL(/\/jobs$/);
  await fixture.state(seed.jobName, "Unschedulable", "无法调度").waitFor();
  await fixture.screenshot("unschedulable");
  await fixture.link(seed.jobName, seed.jobName).click();
  await page.getByText(fixture.localized("Unschedulable", "无法调度"), { exact: true }).first().waitFor();
  await fixture.screenshot("unschedulable-job");
  await fixture.link(...RUN_WITHOUT, cannotRunAlert(fixture)).or(fixture.button(...RUN_WITHOUT, cannotRunAlert(fixture))).first().click();
  await expectValue(fixture.field("Job name", "任务名称"), `${seed.jobName}-2`);
  await expectValue(fixture.field("GPU", "GPU"), "0");
  await fixture.requestAsAdmin("POST", `/jobs/${name}~${seed.jobName}/stop`);
}

async function problemsNameLabels(fixture) {
  const { page } = fixture;
  await signedIn(fixture);
  await fixture.go("/submit");
  await saveInEditor(fixture, JSON.stringify({ ...seed, taskRoles: [{ ...seed.taskRoles[0], gpuNumber: 0, memoryMB: 1 }] }, null, 2));
  const summary = page.getByRole("alert").filter({ hasText: fixture.localized("to fix", "需要修正") });
  await summary.getByRole("button").filter({ hasText: fixture.localized("Task role cifar_train, Memory (MiB):", "任务角色 cifar_train 的内存（MiB）：") }).click();
  assert.equal(await fixture.field("Memory (MiB)", "内存（MiB）").evaluate((field) => field === document.activeElement), true);
}
