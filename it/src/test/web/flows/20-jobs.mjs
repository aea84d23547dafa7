/** A job that somebody submits elsewhere appears and changes in the list without a reload. */
export default async function jobs(world) {
  const { page } = world;
  const { name, password, token } = await world.newUser();
  await world.signIn(name, password);
  await page.evaluate(() => (window.stillTheSamePage = true));

  await world.ask("POST", "/jobs", job("first", "until [ -e /userhome/go ]; do sleep 0.2; done"), token);
  const row = page.getByRole("row").filter({ hasText: "first" });
  await row.getByText(world.say("Running", "运行中"), { exact: true }).waitFor();

  await world.ask("POST", "/jobs", job("second", "touch /userhome/go"), token);
  await row.getByText(world.say("Succeeded", "成功"), { exact: true }).waitFor();
  const other = page.getByRole("row").filter({ hasText: "second" });
  await other.getByText(world.say("Succeeded", "成功"), { exact: true }).waitFor();

  await other.getByRole("checkbox").check();
  await world.button("Add tag", "添加标签").click();
  const tag = page.getByRole("dialog").getByLabel(world.say("Tag", "标签"), { exact: true });
  await tag.fill("nightly, no");
  await page.getByRole("dialog").getByRole("button", { name: world.say("Add tag", "添加标签") }).click();
  await page.getByText(world.say("without commas", "不能含逗号")).first().waitFor();
  await tag.fill("<img src=x onerror=alert(1)>");
  await page.getByRole("dialog").getByRole("button", { name: world.say("Add tag", "添加标签") }).click();
  await other.getByText("<img src=x onerror=alert(1)>").waitFor();

  await page.getByRole("searchbox", { name: world.say("Search by name, user or virtual cluster", "搜索名称、用户或虚拟集群") }).fill("sec");
  await row.waitFor({ state: "detached" });
  await page.waitForURL("**/jobs?q=sec");
  await world.button("Delete", "删除").click();
  await page.getByRole("dialog").getByRole("button", { name: world.say("Delete", "删除") }).click();
  await page.getByText(world.say("No jobs match the filters", "没有符合筛选条件的任务")).waitFor();
  if (!(await page.evaluate(() => window.stillTheSamePage))) throw new Error("the page was loaded again");
}

function job(name, command) {
  return JSON.stringify({
    jobName: name,
    image: "ubuntu:24.04",
    taskRoles: [{ name: "main", taskNumber: 1, cpuNumber: 1, memoryMB: 128, gpuNumber: 0, command }],
  });
}
