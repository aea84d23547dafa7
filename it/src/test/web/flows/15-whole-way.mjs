// The seed documents' whole way, with either engine: sign up with a code, JSON fills the form, submitting leads to Jobs, the job
// waits, runs and succeeds without a reload; its page with log, address and terminal; a copy of it is stopped; the history.
import assert from "node:assert/strict";
import { expectForm, expectValue, saveInEditor, submitForm } from "../form.mjs";

const password = "a-good-password";

export default async function wholeWay(world) {
  const { page } = world;
  const user = await signUp(world);
  const release = await fillMachine(world, user);
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
  await page.getByRole("navigation").getByRole("link", { name: world.say("Submit Job", "提交任务"), exact: true }).click();
  await saveInEditor(world, JSON.stringify(job, null, 4));
  await expectForm(world, job);
  await expectValue(world.field("Data directory", "数据目录"), "/tmp/data");
  await expectValue(world.field("Output directory", "输出目录"), "/tmp/output");
  await submitForm(world);

  const { jobName } = job;
  await world.state(jobName, "Waiting", "排队中").waitFor();
  await world.row(jobName).getByText(release.reason).waitFor();
  await world.screenshot(`waiting-${world.engine}`);
  await release();
  await world.state(jobName, "Running", "运行中").waitFor();
  await world.link(jobName, jobName).click();
  await world.heading(jobName, jobName).waitFor();
  await logGrows(world);
  await taskAddress(world);
  await terminal(world, "touch /userhome/go");
  await world.page.getByText(world.say("Succeeded", "成功"), { exact: true }).first().waitFor();
  await page.getByRole("navigation").getByRole("link", { name: world.say("Jobs", "任务"), exact: true }).click();
  await world.state(jobName, "Succeeded", "成功").waitFor();

  await stopACopy(world, jobName);
  await history(world, jobName);
  assert.equal(await page.evaluate(() => window.stillTheSamePage), true, "the page was loaded again");
}

async function signUp(world) {
  const { page } = world;
  await world.asAdmin("PUT", "/signup/settings", { mode: "code" });
  const { code } = await world.asAdmin("POST", "/signup/codes", { uses: 1 });
  const name = world.unique("new-user");
  await world.go("/");
  await page.getByRole("banner").getByRole("link", { name: world.say("Login", "登录") }).click();
  await world.link("Sign up", "注册").click();
  await world.field("Invitation code", "邀请码").fill(code);
  await world.field("User name", "用户名").fill(name);
  await world.field("Password", "密码").fill(password);
  await world.field("Confirm password", "再次输入密码").fill(password);
  await world.button("Sign up", "注册").click();
  await world.heading("Jobs", "任务").waitFor();
  world.users.push(name);
  return name;
}

/**
 * Lets the next job of the user wait until the returned function is called. Containers have a small machine of their own, which
 * is filled; the other one is everybody's, so that there the user may run one job at a time.
 */
async function fillMachine(world, user) {
  const docker = world.engine === "docker";
  const { token } = docker ? {} : await world.ask("POST", "/sessions", { user, password });
  const role = { cpuNumber: docker ? 2 : 1 };
  const ask = (method, path, body) => (docker ? world.asAdmin(method, path, body) : world.ask(method, path, body, token));
  if (!docker) await world.asAdmin("PATCH", `/users/${user}/limits`, { runningJobs: 1 });
  const { id } = await ask("POST", "/jobs", world.job(world.unique("filler"), "sleep 3600", { role }));
  await world.jobIs(id, "RUNNING");
  const release = () => ask("POST", `/jobs/${id}/stop?graceSeconds=0`);
  release.reason = docker ? /CPU/ : world.say(/at a time/, /最多同时运行/);
  return release;
}

async function logGrows(world) {
  await world.tab("Logs", "日志").click();
  const log = world.page.getByRole("log", { name: world.say("Log", "日志") });
  const steps = async () => [...(await log.innerText()).matchAll(/^step (\d+)$/gm)].map(([, number]) => Number(number)).at(-1) ?? 0;
  await log.getByText(/^step \d+$/).first().waitFor();
  const before = await steps();
  await log.getByText(`step ${before + 3}`, { exact: true }).waitFor();
  await world.screenshot(`log-${world.engine}`);
}

async function taskAddress(world) {
  await world.tab("Tasks", "实例").click();
  await world.page.getByRole("columnheader", { name: world.say("IP address", "IP 地址") }).first().waitFor();
  await world.page.getByRole("cell", { name: /\d+\.\d+\.\d+\.\d+/ }).first().waitFor();
}

async function terminal(world, command) {
  const { page } = world;
  await world.tab("Terminal", "终端").click();
  await world.button("Open terminal", "打开终端").click();
  await page.getByRole("group", { name: world.say(/^Terminal in /, / 的终端$/) }).getByText(/[#$]/).first().waitFor();
  await page.keyboard.type(`${command}\r`);
}

/** Clone, edit, submit, stop. */
async function stopACopy(world, name) {
  const { page } = world;
  await page.getByRole("button", { name: world.say(`Actions for ${name}`, `${name} 的操作`) }).click();
  await world.menu("Clone", "克隆").click();
  await expectValue(world.field("Job name", "任务名称"), `${name}-2`);
  await world.field("Command", "命令").fill("echo a copy; sleep 3600");
  await submitForm(world);
  await world.state(`${name}-2`, "Running", "运行中").waitFor();
  await world.link(`${name}-2`, `${name}-2`).click();
  await world.heading(`${name}-2`, `${name}-2`).waitFor();
  await world.button("Stop", "停止").click();
  await world.dialog().getByRole("spinbutton").fill("0");
  await world.button("Stop", "停止", world.dialog()).click();
  await page.getByText(world.say("Stopped", "已停止"), { exact: true }).first().waitFor();
}

async function history(world, name) {
  await world.tab("Events", "事件").click();
  await world.page.getByRole("cell", { name: world.say("Submitted", "已提交"), exact: true }).waitFor();
  await world.page.getByRole("cell", { name: world.say("Stopped", "已停止"), exact: true }).waitFor();
  await world.page.getByRole("navigation").getByRole("link", { name: world.say("Jobs", "任务"), exact: true }).click();
  await world.state(`${name}-2`, "Stopped", "已停止").waitFor();
  await world.row(name).filter({ hasNotText: `${name}-2` }).getByText(world.say("Succeeded", "成功"), { exact: true }).waitFor();
}
