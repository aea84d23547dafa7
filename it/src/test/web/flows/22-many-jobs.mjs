// Actions on several jobs: tag, stop and delete the selected jobs, and export all jobs to a file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

export const long = true;

export default async function manyJobs(fixture) {
  const { page } = fixture;
  const { name, password, token } = await fixture.newUser();
  const submit = (job, command) => fixture.request("POST", "/jobs", fixture.job(job, command), token);
  for (const job of ["first", "second"]) await submit(job, "sleep 3600");
  const { id } = await submit("third", "exit 3");
  await fixture.request("PUT", `/jobs/${id}/tags/${encodeURIComponent("=1+1")}`, undefined, token);
  await fixture.createSession(name, password);
  await fixture.go("/jobs");
  await fixture.state("first", "Running", "运行中").waitFor();
  await fixture.state("second", "Running", "运行中").waitFor();
  await fixture.state("third", "Failed", "失败").waitFor();
  await fixture.screenshot("jobs-chosen");

  const all = await downloadExport(fixture);
  assert.deepEqual([all.column("name").sort(), all.column("user")], [["first", "second", "third"], [name, name, name]]);
  assert.ok(all.rows.some((row) => row.includes("third") && row.includes("FAILED") && row.includes("'=1+1")), all.text);

  await page.getByRole("checkbox", { name: fixture.localized("Select all on this page", "选择本页全部") }).check();
  const chosen = page.getByRole("toolbar", { name: fixture.localized("3 selected", "已选 3 个") });
  await fixture.button("Add tag", "添加标签", chosen).click();
  await fixture.field("Tag", "标签", fixture.dialog()).fill("night");
  await fixture.button("Add tag", "添加标签", fixture.dialog()).click();
  for (const job of ["first", "second", "third"]) await fixture.row(job).getByText("night", { exact: true }).waitFor();

  await exportMatchesPage(fixture);

  await fixture.button("Stop", "停止", chosen).click();
  await fixture.text("Stop 2 jobs?", "停止 2 个任务？", fixture.dialog()).waitFor();
  await fixture.button("Stop", "停止", fixture.dialog()).click();
  await fixture.state("first", "Stopped", "已停止").waitFor();
  await fixture.state("second", "Stopped", "已停止").waitFor();

  await fixture.button("Delete", "删除", chosen).click();
  await fixture.text("Delete 3 jobs?", "删除 3 个任务？", fixture.dialog()).waitFor();
  await fixture.button("Delete", "删除", fixture.dialog()).click();
  await page.getByText(fixture.localized("No jobs yet", "暂无任务")).waitFor();
}

/** Downloads the CSV export of all jobs that match the filters and returns its text. */
async function downloadExport(fixture) {
  const download = fixture.page.waitForEvent("download");
  await fixture.link("Export CSV", "导出 CSV").click();
  const bytes = await readFile(await (await download).path());
  // Excel needs the byte order mark to detect UTF-8.
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const text = bytes.toString("utf8").slice(1);
  assert.ok(text.endsWith("\r\n"), text);
  const [heading, ...rows] = text.trimEnd().split("\r\n").map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell.replaceAll('""', '"')));
  return { text, rows, column: (title) => rows.map((row) => row[heading.indexOf(title)]) };
}

/** Checks that the export has the filters and the order of the page. */
async function exportMatchesPage(fixture) {
  const { page } = fixture;
  await page.getByRole("button", { name: fixture.localized("Name", "名称"), exact: true }).click();
  await page.waitForURL(/sort=name/);
  assert.deepEqual((await downloadExport(fixture)).column("name"), ["first", "second", "third"]);
  await page.getByRole("button", { name: fixture.localized("Name", "名称"), exact: true }).click();
  await page.waitForURL(/sort=-name/);
  await page.getByRole("searchbox", { name: fixture.localized("Search by name, user or virtual cluster", "搜索名称、用户或虚拟集群") }).fill("ir");
  await fixture.row("second").waitFor({ state: "detached" });
  const found = await downloadExport(fixture);
  assert.deepEqual(found.column("name"), ["third", "first"]);
  assert.deepEqual(found.column("tags"), ["'=1+1,night", "night"]);
  await page.getByRole("searchbox").fill("");
  await fixture.row("second").waitFor();
}
