// The server is stopped for 20 seconds and restarted while pages are open: a job, the list of jobs, and a partly filled form.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { customImage, expectValue } from "../submit-form.mjs";

export const long = true;
export const ownServer = {};
export const needs = ["restart"];
const AWAY = 20_000;
const script = "echo typed before\nsleep 1\necho typed after";

export default async function away(fixture) {
  const { testServer } = fixture;
  const visitor = new Visitor(fixture);
  await visitor.openPages();
  const stopped = await fixture.together(async () => {
    await testServer.stop();
    return Date.now();
  });
  await visitor.showsLostConnection();
  // Jobs continue without the server; this file makes the job finish.
  await writeFile(join(testServer.data, "home", visitor.user.name, "go"), "");
  await fixture.together(async () => {
    await new Promise((resolve) => setTimeout(resolve, AWAY - (Date.now() - stopped)));
    await testServer.begin();
  });
  await visitor.showsMissedEvents();
  await visitor.continuesWithoutReload();
}

class Visitor {
  constructor(fixture) {
    this.fixture = fixture;
  }

  async openPages() {
    const { fixture } = this;
    this.user = await fixture.newUser();
    const { id } = await fixture.request("POST", "/jobs", fixture.job("left-alone", "until [ -e /userhome/go ]; do sleep 0.2; done; echo ended alone"), this.user.token);
    await fixture.waitForState(id, "RUNNING");
    await fixture.createSession(this.user.name, this.user.password);
    this.form = fixture.page;
    this.list = await fixture.context.newPage();
    this.job = await fixture.context.newPage();
    await this.form.goto(`${fixture.server}/submit`);
    await fixture.field("Job name", "任务名称", this.form).fill("half-filled");
    await customImage(fixture, "trainyard-test/busybox", this.form);
    await fixture.field("Command", "命令", this.form).fill(script);
    await this.list.goto(`${fixture.server}/jobs`);
    await fixture.row("left-alone", this.list).getByText(fixture.localized("Running", "运行中"), { exact: true }).waitFor();
    await this.job.goto(`${fixture.server}/jobs/${this.user.name}/left-alone`);
    await this.job.getByText(fixture.localized("Running", "运行中"), { exact: true }).first().waitFor();
    for (const page of this.pages()) await page.evaluate(() => (window.stillTheSamePage = true));
  }

  pages() {
    return [this.form, this.list, this.job];
  }

  lost(page) {
    return this.fixture.text("Connection to the server lost", "与服务器的连接已断开", page);
  }

  async showsLostConnection() {
    const { fixture } = this;
    for (const page of this.pages()) await this.lost(page).waitFor();
    await fixture.button("Submit", "提交", this.form).click();
    await fixture.text("Your input is kept", "您填写的内容已保留", this.form).waitFor();
    await this.keepsInput();
    await fixture.text(/unreachable for \d+ s/, /无法连接服务器已 \d+ 秒/, this.job).waitFor();
    await fixture.screenshot("away", this.job);
  }

  async keepsInput() {
    const { fixture } = this;
    await expectValue(fixture.field("Job name", "任务名称", this.form), "half-filled");
    await expectValue(fixture.field("Docker images", "Docker 镜像名称", this.form), "trainyard-test/busybox");
    await expectValue(fixture.field("Command", "命令", this.form), script);
  }

  async showsMissedEvents() {
    const { fixture } = this;
    for (const page of this.pages()) await this.lost(page).waitFor({ state: "hidden" });
    const succeeded = fixture.localized("Succeeded", "成功");
    await fixture.row("left-alone", this.list).getByText(succeeded, { exact: true }).waitFor();
    await this.job.getByText(succeeded, { exact: true }).first().waitFor();
    await fixture.text("Events while the server was unreachable", "连接断开期间的事件", this.job).waitFor();
    await fixture.screenshot("back", this.job);
    await this.keepsInput();
  }

  async continuesWithoutReload() {
    const { fixture } = this;
    for (const page of this.pages()) {
      assert.equal(await page.evaluate(() => window.stillTheSamePage), true, `${page.url()} was reloaded`);
    }
    await fixture.button("Submit", "提交", this.form).click();
    await this.form.waitForURL(/\/jobs$/);
    await fixture.row("half-filled", this.list).getByText(fixture.localized("Succeeded", "成功"), { exact: true }).waitFor();
  }
}
