// Many jobs at once: tag, stop and delete those that are ticked, and all of them in a file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

export default async function manyJobs(world) {
  const { page } = world;
  const { name, password, token } = await world.newUser();
  const submit = (job, command) => world.ask("POST", "/jobs", world.job(job, command), token);
  for (const job of ["first", "second"]) await submit(job, "sleep 3600");
  const { id } = await submit("third", "exit 3");
  await world.ask("PUT", `/jobs/${id}/tags/${encodeURIComponent("=1+1")}`, undefined, token);
  await world.signedIn(name, password);
  await world.go("/jobs");
  await world.state("first", "Running", "运行中").waitFor();
  await world.state("second", "Running", "运行中").waitFor();
  await world.state("third", "Failed", "失败").waitFor();
  await world.screenshot("jobs-chosen");

  const download = page.waitForEvent("download");
  await world.button("Export CSV", "导出 CSV").click();
  const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  assert.equal(lines.length, 4);
  assert.match(lines[0], /^\ufeff?user,name,state,/);
  assert.ok(lines.some((line) => line.includes(",third,FAILED,") && line.includes(",'=1+1,")), lines.join("\n"));

  await page.getByRole("checkbox", { name: world.say("Select all on this page", "选择本页全部") }).check();
  const chosen = page.getByRole("toolbar", { name: world.say("3 selected", "已选 3 个") });
  await world.button("Add tag", "添加标签", chosen).click();
  await world.field("Tag", "标签", world.dialog()).fill("night");
  await world.button("Add tag", "添加标签", world.dialog()).click();
  for (const job of ["first", "second", "third"]) await world.row(job).getByText("night", { exact: true }).waitFor();

  await world.button("Stop", "停止", chosen).click();
  await world.text("Stop 2 jobs?", "停止 2 个任务？", world.dialog()).waitFor();
  await world.button("Stop", "停止", world.dialog()).click();
  await world.state("first", "Stopped", "已停止").waitFor();
  await world.state("second", "Stopped", "已停止").waitFor();

  await world.button("Delete", "删除", chosen).click();
  await world.text("Delete 3 jobs?", "删除 3 个任务？", world.dialog()).waitFor();
  await world.button("Delete", "删除", world.dialog()).click();
  await page.getByText(world.say("No jobs yet", "还没有任务")).waitFor();
}
