// The server is stopped for 20 seconds and started again, in front of open pages: a job, the jobs, and a form that is half filled.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { customImage, expectValue } from "../form.mjs";

export const long = true;
export const together = true;
export const apart = true;
export const needs = ["restart"];
const AWAY = 20_000;
const script = "echo typed before\nsleep 1\necho typed after";

export default async function away({ en, zh }) {
  const visitors = [new Visitor(en), new Visitor(zh)];
  const all = (act) => Promise.all(visitors.map(act));
  await all((visitor) => visitor.openPages());
  const { yard } = en;
  await yard.stop();
  const stopped = Date.now();
  await all((visitor) => visitor.isToldOfIt());
  // Jobs go on without the server; this one ends.
  await all(({ user }) => writeFile(join(yard.data, "home", user.name, "go"), ""));
  await new Promise((resolve) => setTimeout(resolve, AWAY - (Date.now() - stopped)));
  await yard.begin();
  await all((visitor) => visitor.seesWhatHappened());
  await all((visitor) => visitor.goesOn());
}

class Visitor {
  constructor(world) {
    this.world = world;
  }

  async openPages() {
    const { world } = this;
    this.user = await world.newUser();
    const { id } = await world.ask("POST", "/jobs", world.job("left-alone", "until [ -e /userhome/go ]; do sleep 0.2; done; echo ended alone"), this.user.token);
    await world.jobIs(id, "RUNNING");
    await world.signedIn(this.user.name, this.user.password);
    this.form = world.page;
    this.list = await world.context.newPage();
    this.job = await world.context.newPage();
    await this.form.goto(`${world.server}/submit`);
    await world.field("Job name", "任务名称", this.form).fill("half-filled");
    await customImage(world, "trainyard-test/busybox", this.form);
    await world.field("Command", "命令", this.form).fill(script);
    await this.list.goto(`${world.server}/jobs`);
    await world.row("left-alone", this.list).getByText(world.say("Running", "运行中"), { exact: true }).waitFor();
    await this.job.goto(`${world.server}/jobs/${this.user.name}/left-alone`);
    await this.job.getByText(world.say("Running", "运行中"), { exact: true }).first().waitFor();
    for (const page of this.pages()) await page.evaluate(() => (window.stillTheSamePage = true));
  }

  pages() {
    return [this.form, this.list, this.job];
  }

  lost(page) {
    return this.world.text("Connection to the server lost", "与服务器的连接已断开", page);
  }

  async isToldOfIt() {
    const { world } = this;
    for (const page of this.pages()) await this.lost(page).waitFor();
    await world.button("Submit", "提交", this.form).click();
    await world.text("Your input is kept", "您填写的内容已保留", this.form).waitFor();
    await this.nothingIsLost();
    await world.text(/unreachable for \d+ s/, /无法连接服务器已 \d+ 秒/, this.job).waitFor();
    await world.screenshot("away", this.job);
  }

  async nothingIsLost() {
    const { world } = this;
    await expectValue(world.field("Job name", "任务名称", this.form), "half-filled");
    await expectValue(world.field("Docker images", "Docker 镜像名称", this.form), "trainyard-test/busybox");
    await expectValue(world.field("Command", "命令", this.form), script);
  }

  async seesWhatHappened() {
    const { world } = this;
    for (const page of this.pages()) await this.lost(page).waitFor({ state: "hidden" });
    const succeeded = world.say("Succeeded", "成功");
    await world.row("left-alone", this.list).getByText(succeeded, { exact: true }).waitFor();
    await this.job.getByText(succeeded, { exact: true }).first().waitFor();
    await world.text("Events while the server was unreachable", "连接断开期间的事件", this.job).waitFor();
    await world.screenshot("back", this.job);
    await this.nothingIsLost();
  }

  async goesOn() {
    const { world } = this;
    for (const page of this.pages()) {
      assert.equal(await page.evaluate(() => window.stillTheSamePage), true, `${page.url()} was loaded again`);
    }
    await world.button("Submit", "提交", this.form).click();
    await this.form.waitForURL(/\/jobs$/);
    await world.row("half-filled", this.list).getByText(world.say("Succeeded", "成功"), { exact: true }).waitFor();
  }
}
