// The complete workflow of the seed documents, with either engine: sign up with a code, fill the form from JSON and submit the
// job. The job waits, runs and succeeds without a reload of the page. Its page shows the log, the address and a terminal.
// Finally, a clone is stopped and the history is checked.
import assert from "node:assert/strict";
import { expectForm, expectValue, saveInEditor, submitForm } from "../submit-form.mjs";

const password = "a-good-password";

export default async function wholeWay(fixture) {
  const { page } = fixture;
  const user = await signUp(fixture);
  const release = await blockNextJob(fixture, user);
  await page.evaluate(() => (window.stillTheSamePage = true));

  const job = {
    jobName: "tensorflow-cifar10",
    image: "trainyard-test/busybox",
    dataDir: "/tmp/data",
    outputDir: "/tmp/output",
    extras: { kept: [1, "two"] },
    taskRoles: [
      {
        name: "cifar_train", taskNumber: 1, cpuNumber: 1, memoryMB: 256, gpuNumber: 0,
        command: "echo data in $PAI_DATA_DIR; until [ -e /userhome/go ]; do i=$((i+1)); echo step $i; sleep 0.3; done; echo finished",
      },
    ],
  };
  await page.getByRole("navigation").getByRole("link", { name: fixture.localized("Submit Job", "提交任务"), exact: true }).click();
  await saveInEditor(fixture, JSON.stringify(job, null, 4));
  await expectForm(fixture, job);
  await expectValue(fixture.field("Data directory", "数据目录"), "/tmp/data");
  await expectValue(fixture.field("Output directory", "输出目录"), "/tmp/output");
  await submitForm(fixture);

  const { jobName } = job;
  await fixture.state(jobName, "Waiting", "排队中").waitFor();
  await fixture.row(jobName).getByText(release.reason).waitFor();
  await fixture.screenshot(`waiting-${fixture.engine}`);
  await release();
  await fixture.state(jobName, "Running", "运行中").waitFor();
  await fixture.link(jobName, jobName).click();
  await fixture.heading(jobName, jobName).waitFor();
  await logGrows(fixture);
  await taskAddress(fixture);
  await terminal(fixture, "touch /userhome/go");
  await fixture.page.getByText(fixture.localized("Succeeded", "成功"), { exact: true }).first().waitFor();
  await page.getByRole("navigation").getByRole("link", { name: fixture.localized("Jobs", "任务"), exact: true }).click();
  await fixture.state(jobName, "Succeeded", "成功").waitFor();

  await stopClone(fixture, jobName);
  await history(fixture, jobName);
  assert.equal(await page.evaluate(() => window.stillTheSamePage), true, "the page was reloaded");
}

async function signUp(fixture) {
  const { page } = fixture;
  await fixture.requestAsAdmin("PUT", "/signup/settings", { mode: "code" });
  const { code } = await fixture.requestAsAdmin("POST", "/signup/codes", { uses: 1 });
  const name = fixture.unique("new-user");
  await fixture.go("/");
  await page.getByRole("banner").getByRole("link", { name: fixture.localized("Login", "登录") }).click();
  await fixture.link("Sign up", "注册").click();
  await fixture.field("Invitation code", "邀请码").fill(code);
  await fixture.field("User name", "用户名").fill(name);
  await fixture.field("Password", "密码").fill(password);
  await fixture.field("Confirm password", "再次输入密码").fill(password);
  await fixture.button("Sign up", "注册").click();
  await fixture.heading("Jobs", "任务").waitFor();
  fixture.users.push(name);
  return name;
}

/**
 * Starts a job that makes the next job of the user wait; the returned function stops it. With Docker, the job uses the whole
 * capacity of the server. With the process engine, all flows share the server, so the user is limited to one running job instead.
 */
async function blockNextJob(fixture, user) {
  const docker = fixture.engine === "docker";
  const { token } = docker ? {} : await fixture.request("POST", "/sessions", { user, password });
  const role = { cpuNumber: docker ? 2 : 1 };
  const ask = (method, path, body) => (docker ? fixture.requestAsAdmin(method, path, body) : fixture.request(method, path, body, token));
  if (!docker) await fixture.requestAsAdmin("PATCH", `/users/${user}/limits`, { runningJobs: 1 });
  const { id } = await ask("POST", "/jobs", fixture.job(fixture.unique("filler"), "sleep 3600", { role }));
  await fixture.waitForState(id, "RUNNING");
  const release = () => ask("POST", `/jobs/${id}/stop?graceSeconds=0`);
  release.reason = docker ? /CPU/ : fixture.localized(/at a time/, /最多同时运行/);
  return release;
}

async function logGrows(fixture) {
  await fixture.tab("Logs", "日志").click();
  const log = fixture.page.getByRole("log", { name: fixture.localized("Log", "日志") });
  const steps = async () => [...(await log.innerText()).matchAll(/^step (\d+)$/gm)].map(([, number]) => Number(number)).at(-1) ?? 0;
  await log.getByText(/^step \d+$/).first().waitFor();
  const before = await steps();
  await log.getByText(`step ${before + 3}`, { exact: true }).waitFor();
  await fixture.screenshot(`log-${fixture.engine}`);
}

async function taskAddress(fixture) {
  await fixture.tab("Tasks", "实例").click();
  await fixture.page.getByRole("columnheader", { name: fixture.localized("IP address", "IP 地址") }).first().waitFor();
  await fixture.page.getByRole("cell", { name: /\d+\.\d+\.\d+\.\d+/ }).first().waitFor();
}

async function terminal(fixture, command) {
  const { page } = fixture;
  await fixture.tab("Terminal", "终端").click();
  await fixture.button("Open terminal", "打开终端").click();
  await page.getByRole("group", { name: fixture.localized(/^Terminal in /, / 的终端$/) }).getByText(/[#$]/).first().waitFor();
  await page.keyboard.type(`${command}\r`);
}

/** Clones a job, edits it, submits it and stops it. */
async function stopClone(fixture, name) {
  const { page } = fixture;
  await page.getByRole("button", { name: fixture.localized(`Actions for ${name}`, `${name} 的操作`) }).click();
  await fixture.menu("Clone", "克隆").click();
  await expectValue(fixture.field("Job name", "任务名称"), `${name}-2`);
  await fixture.field("Command", "命令").fill("echo a copy; sleep 3600");
  await submitForm(fixture);
  await fixture.state(`${name}-2`, "Running", "运行中").waitFor();
  await fixture.link(`${name}-2`, `${name}-2`).click();
  await fixture.heading(`${name}-2`, `${name}-2`).waitFor();
  await fixture.button("Stop", "停止").click();
  await fixture.dialog().getByRole("spinbutton").fill("0");
  await fixture.button("Stop", "停止", fixture.dialog()).click();
  await page.getByText(fixture.localized("Stopped", "已停止"), { exact: true }).first().waitFor();
}

async function history(fixture, name) {
  await fixture.tab("Events", "事件").click();
  await fixture.page.getByRole("cell", { name: fixture.localized("Submitted", "已提交"), exact: true }).waitFor();
  await fixture.page.getByRole("cell", { name: fixture.localized("Stopped", "已停止"), exact: true }).waitFor();
  await fixture.page.getByRole("navigation").getByRole("link", { name: fixture.localized("Jobs", "任务"), exact: true }).click();
  await fixture.state(`${name}-2`, "Stopped", "已停止").waitFor();
  await fixture.row(name).filter({ hasNotText: `${name}-2` }).getByText(fixture.localized("Succeeded", "成功"), { exact: true }).waitFor();
}
