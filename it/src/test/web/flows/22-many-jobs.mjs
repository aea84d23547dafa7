// Many jobs at once: tag, stop and delete those that are ticked, and all of them in a file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

export const long = true;

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

  const all = await exported(world);
  assert.deepEqual([all.column("name").sort(), all.column("user")], [["first", "second", "third"], [name, name, name]]);
  assert.ok(all.rows.some((row) => row.includes("third") && row.includes("FAILED") && row.includes("'=1+1")), all.text);

  await page.getByRole("checkbox", { name: world.say("Select all on this page", "选择本页全部") }).check();
  const chosen = page.getByRole("toolbar", { name: world.say("3 selected", "已选 3 个") });
  await world.button("Add tag", "添加标签", chosen).click();
  await world.field("Tag", "标签", world.dialog()).fill("night");
  await world.button("Add tag", "添加标签", world.dialog()).click();
  for (const job of ["first", "second", "third"]) await world.row(job).getByText("night", { exact: true }).waitFor();

  await sameAsShown(world);

  await world.button("Stop", "停止", chosen).click();
  await world.text("Stop 2 jobs?", "停止 2 个任务？", world.dialog()).waitFor();
  await world.button("Stop", "停止", world.dialog()).click();
  await world.state("first", "Stopped", "已停止").waitFor();
  await world.state("second", "Stopped", "已停止").waitFor();

  await world.button("Delete", "删除", chosen).click();
  await world.text("Delete 3 jobs?", "删除 3 个任务？", world.dialog()).waitFor();
  await world.button("Delete", "删除", world.dialog()).click();
  await page.getByText(world.say("No jobs yet", "暂无任务")).waitFor();
}

/** A file for a spreadsheet, with all jobs that fit the filters. */
async function exported(world) {
  const download = world.page.waitForEvent("download");
  await world.link("Export CSV", "导出 CSV").click();
  const bytes = await readFile(await (await download).path());
  // Without it Excel reads Chinese as something else.
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const text = bytes.toString("utf8").slice(1);
  assert.ok(text.endsWith("\r\n"), text);
  const [heading, ...rows] = text.trimEnd().split("\r\n").map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell.replaceAll('""', '"')));
  return { text, rows, column: (title) => rows.map((row) => row[heading.indexOf(title)]) };
}

/** Filters and order are those of the page. */
async function sameAsShown(world) {
  const { page } = world;
  await page.getByRole("button", { name: world.say("Name", "名称"), exact: true }).click();
  await page.waitForURL(/sort=name/);
  assert.deepEqual((await exported(world)).column("name"), ["first", "second", "third"]);
  await page.getByRole("button", { name: world.say("Name", "名称"), exact: true }).click();
  await page.waitForURL(/sort=-name/);
  await page.getByRole("searchbox", { name: world.say("Search by name, user or virtual cluster", "搜索名称、用户或虚拟集群") }).fill("ir");
  await world.row("second").waitFor({ state: "detached" });
  const found = await exported(world);
  assert.deepEqual(found.column("name"), ["third", "first"]);
  assert.deepEqual(found.column("tags"), ["'=1+1,night", "night"]);
  await page.getByRole("searchbox").fill("");
  await world.row("second").waitFor();
}
