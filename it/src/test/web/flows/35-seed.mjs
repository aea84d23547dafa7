// The first job of the seed documents is pasted unchanged; the host has no devices and fewer resources than the job requests.
// Within five seconds, the page says why the job cannot run, and one click adapts the job to the resources of the host.
import assert from "node:assert/strict";
import { sourceFile } from "../checkout.mjs";
import { expectForm, expectValue, saveInEditor } from "../submit-form.mjs";

export const ownServer = { capacity: "cpu=2,memoryMB=8000,gpu=0" };
export const needs = ["restart"];

export default async function seed(fixture) {
  const { name, password } = await fixture.newUser();
  await fixture.createSession(name, password);
  await fixture.go("/submit");
  const text = await sourceFile("examples/cifar10.json");
  await saveInEditor(fixture, text);
  const began = Date.now();
  const alert = fixture.page.getByRole("alert").filter({ hasText: fixture.localized("This job cannot run on this cluster", "该任务无法在本集群运行") });
  await alert.waitFor({ timeout: 5_000 });
  const reason = await alert.innerText();
  assert.ok(Date.now() - began < 5_000);
  for (const [en, zh] of [
    ["needs 1 GPU, this cluster has none", "需要 1 块 GPU，集群中没有"],
    ["needs 8 CPUs, the largest node has 2", "需要 8 个 CPU，单个节点最多 2 个"],
    ["needs 32 GiB of memory, the largest node has 7.8 GiB", "需要 32 GiB 内存，单个节点最多 7.8 GiB"],
    ["The command must be able to run without a GPU.", "命令需要支持在没有 GPU 的情况下运行。"],
  ]) {
    // The page capitalizes the first word.
    assert.ok(reason.toLowerCase().includes(fixture.localized(en, zh).toLowerCase()), reason);
  }
  await fixture.screenshot("seed-without-devices");
  await fixture.button("Change to: no GPU, 2 CPUs, 7.8 GiB memory", "改为不使用 GPU：2 个 CPU、7.8 GiB 内存", alert).click();
  await alert.waitFor({ state: "detached" });
  await expectValue(fixture.field("GPU", "GPU"), "0");
  const job = JSON.parse(text);
  const [role] = job.taskRoles;
  await expectForm(fixture, { ...job, taskRoles: [{ ...role, gpuNumber: 0, cpuNumber: 2, memoryMB: 8000 }] });
}
