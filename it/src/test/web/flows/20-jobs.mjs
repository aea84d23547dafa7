/** A job that was submitted elsewhere appears and changes in the list without a reload. */
export default async function jobs(fixture) {
  const { page } = fixture;
  const { name, password, token } = await fixture.newUser();
  await fixture.signIn(name, password);
  await page.evaluate(() => (window.stillTheSamePage = true));

  await fixture.request("POST", "/jobs", job("first", "until [ -e /userhome/go ]; do sleep 0.2; done"), token);
  const row = page.getByRole("row").filter({ hasText: "first" });
  await row.getByText(fixture.localized("Running", "运行中"), { exact: true }).waitFor();

  await fixture.request("POST", "/jobs", job("second", "touch /userhome/go"), token);
  await row.getByText(fixture.localized("Succeeded", "成功"), { exact: true }).waitFor();
  const other = page.getByRole("row").filter({ hasText: "second" });
  await other.getByText(fixture.localized("Succeeded", "成功"), { exact: true }).waitFor();

  await other.getByRole("checkbox").check();
  await fixture.button("Add tag", "添加标签").click();
  const tag = page.getByRole("dialog").getByLabel(fixture.localized("Tag", "标签"), { exact: true });
  await tag.fill("nightly, no");
  await page.getByRole("dialog").getByRole("button", { name: fixture.localized("Add tag", "添加标签") }).click();
  await page.getByText(fixture.localized("without commas", "不能含逗号")).first().waitFor();
  await tag.fill("<img src=x onerror=alert(1)>");
  await page.getByRole("dialog").getByRole("button", { name: fixture.localized("Add tag", "添加标签") }).click();
  await other.getByText("<img src=x onerror=alert(1)>").waitFor();

  await page.getByRole("searchbox", { name: fixture.localized("Search by name, user or virtual cluster", "搜索名称、用户或虚拟集群") }).fill("sec");
  await row.waitFor({ state: "detached" });
  await page.waitForURL("**/jobs?q=sec");
  await fixture.button("Delete", "删除").click();
  await page.getByRole("dialog").getByRole("button", { name: fixture.localized("Delete", "删除") }).click();
  await page.getByText(fixture.localized("No jobs match the filters", "没有符合筛选条件的任务")).waitFor();
  if (!(await page.evaluate(() => window.stillTheSamePage))) throw new Error("the page was reloaded");
}

function job(name, command) {
  return JSON.stringify({
    jobName: name,
    image: "ubuntu:24.04",
    taskRoles: [{ name: "main", taskNumber: 1, cpuNumber: 1, memoryMB: 128, gpuNumber: 0, command }],
  });
}
