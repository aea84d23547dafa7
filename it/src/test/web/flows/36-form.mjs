// If the engine runs programs that are installed on the node, the form requires no image and says so. The form states what
// happens if a line of the command fails, and can write either rule in both formats. The templates name the programs that must be
// installed.
import assert from "node:assert/strict";
import { choices, expectValue, saveInEditor, submitForm } from "../submit-form.mjs";

export default { withoutImage, failureRule };

async function begin(fixture) {
  const { name, password } = await fixture.newUser();
  await fixture.createSession(name, password);
  await fixture.go("/submit");
}

async function withoutImage(fixture) {
  const { page } = fixture;
  await begin(fixture);
  await page.getByText(fixture.localized("does not use the image", "不使用镜像")).first().waitFor();
  const required = page.locator("label.ant-form-item-required");
  assert.equal(await required.filter({ hasText: fixture.localized("Command", "命令") }).count(), 1);
  assert.equal(await required.filter({ hasText: fixture.localized("Docker image", "Docker 镜像") }).count(), 0);
  await fixture.button("Templates", "模板").click();
  await fixture.dialog().getByText(/python3-torch/).first().waitFor();
  await page.keyboard.press("Escape");
  await fixture.dialog().waitFor({ state: "hidden" });
  const job = await fixture.field("Job name", "任务名称").inputValue();
  await fixture.field("Command", "命令").fill("echo ran");
  await submitForm(fixture);
  await fixture.state(job, "Succeeded", "成功").waitFor();
}

const STOP = "set -o errexit -o nounset -o pipefail\n";
const CONTINUE = "set +o errexit +o nounset +o pipefail\n";

async function failureRule(fixture) {
  await begin(fixture);
  const command = fixture.field("Command", "命令");
  await command.fill("false\necho end");
  await rule(fixture, "Continue; the last exit code decides", "继续执行，由最后的退出码决定结果");
  await choose(fixture, "Stop at the first failure", "首次失败即结束");
  await expectValue(command, `${STOP}false\necho end`);
  await fixture.screenshot("failure-rule");

  const v2 = `protocolVersion: 2\nname: rule\ntype: job\nprerequisites:\n  - {name: image, type: dockerimage, uri: ubuntu}\ntaskRoles:\n  main:\n    dockerImage: image\n    resourcePerInstance: {cpu: 1, memoryMB: 128, gpu: 0}\n    commands: ['false', echo end]\n`;
  await saveInEditor(fixture, v2);
  await expectValue(command, "false\necho end");
  await rule(fixture, "Stop at the first failure", "首次失败即结束");
  await choose(fixture, "Continue; the last exit code decides", "继续执行，由最后的退出码决定结果");
  await expectValue(command, `${CONTINUE}false\necho end`);
  await submitForm(fixture);
  await fixture.state("rule", "Succeeded", "成功").waitFor();
}

/** Waits until the form states a rule. */
async function rule(fixture, en, zh) {
  await fixture.page.locator(".ant-select-selection-item").filter({ hasText: fixture.localized(en, zh) }).waitFor();
}

async function choose(fixture, en, zh) {
  await choices(fixture.field("If a line of the command fails", "命令中某一行失败时"));
  await fixture.page.getByTitle(fixture.localized(en, zh), { exact: true }).locator("visible=true").last().click();
  await rule(fixture, en, zh);
}
