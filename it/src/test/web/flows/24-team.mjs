// Jobs that a group shares: another member can see the job and its log but not change it; other users cannot see it.
import assert from "node:assert/strict";

/** A time in milliseconds that is longer than the polling interval of the pages. */
const AFTER = 6_000;

export default async function team(fixture) {
  const [owner, colleague, outsider] = [await fixture.newUser(), await fixture.newUser(), await fixture.newUser()];
  const group = fixture.unique("lab");
  await fixture.requestAsAdmin("POST", "/groups", { name: group, sharesJobs: true });
  for (const { name } of [owner, colleague]) await fixture.requestAsAdmin("PUT", `/groups/${group}/members/${name}`);
  const { id } = await fixture.request("POST", "/jobs", fixture.job("shared", "echo read by colleagues; until [ -e /userhome/go ]; do sleep 0.2; done"), owner.token);
  await fixture.waitForState(id, "RUNNING");

  await list(fixture, colleague);
  await jobPage(fixture, owner);
  await polledWhileVisible(fixture, owner, id);
  await hiddenFromOthers(fixture, owner, outsider);
}

const chooseTeam = (fixture, page = fixture.page) => page.getByRole("radiogroup", { name: fixture.localized("Scope", "任务范围") }).getByText(fixture.localized("My team's jobs", "团队任务"), { exact: true });

async function list(fixture, { name, password }) {
  const { page } = fixture;
  await fixture.signIn(name, password);
  await page.getByText(fixture.localized("No jobs yet", "暂无任务")).waitFor();
  await chooseTeam(fixture).click();
  await page.waitForURL(/scope=team/);
  await fixture.state("shared", "Running", "运行中").waitFor();
  assert.equal(await fixture.row("shared").getByRole("checkbox").isDisabled(), true);
  await page.getByRole("button", { name: fixture.localized("Actions for shared", "shared 的操作") }).click();
  await fixture.menu("Clone", "克隆").waitFor();
  assert.equal(await page.getByRole("menuitem").filter({ hasText: fixture.localized(/Stop|Delete|tag/, /停止|删除|标签/) }).count(), 0);
  await page.keyboard.press("Escape");
}

/** The page has no terminal and no buttons for actions of the owner. */
async function jobPage(fixture, owner) {
  const { page } = fixture;
  await fixture.link("shared", "shared").click();
  await page.waitForURL(`**/jobs/${owner.name}/shared`);
  await fixture.button("Clone", "克隆").or(fixture.link("Clone", "克隆")).first().waitFor();
  for (const [en, zh] of [["Stop", "停止"], ["Pause", "暂停"], ["Delete", "删除"], ["More actions", "更多操作"], ["Tag", "标签"]]) {
    assert.equal(await fixture.button(en, zh).count(), 0, en);
  }
  assert.equal(await fixture.tab("Terminal", "终端").count(), 0);
  await fixture.tab("Logs", "日志").click();
  await page.getByRole("log", { name: fixture.localized("Log", "日志") }).getByText("read by colleagues", { exact: true }).waitFor();
  await fixture.screenshot("team");
}

/**
 * The server sends no events for jobs of other users, so visible pages poll; hidden pages do not poll. The flow advances the clock
 * of the pages.
 */
async function polledWhileVisible(fixture, owner, id) {
  const list = { page: await fixture.context.newPage(), path: "/jobs?scope=team", asked: /\/api\/v3\/jobs\?.*scope=team/ };
  const one = { page: await fixture.context.newPage(), path: `/jobs/${owner.name}/shared`, asked: /\/api\/v3\/jobs\/[^/]+~shared$/ };
  const both = (act) => Promise.all([list, one].map(act));
  await both(async ({ page, path }) => {
    await page.clock.install();
    await page.goto(fixture.server + path);
    await page.getByText(fixture.localized("Running", "运行中"), { exact: true }).first().waitFor();
  });
  await both(pollsOnlyWhileVisible);
  await fixture.request("POST", "/jobs", fixture.job("go", "touch /userhome/go"), owner.token);
  await fixture.waitForState(id, "SUCCEEDED");
  await both(async ({ page }) => {
    await page.clock.fastForward(AFTER);
    await page.getByText(fixture.localized("Succeeded", "成功"), { exact: true }).first().waitFor();
    await page.close();
  });
}

async function pollsOnlyWhileVisible({ page, path, asked }) {
  await Promise.all([page.waitForRequest(asked), page.clock.fastForward(AFTER)]);
  await becomes(page, "hidden");
  const meanwhile = [];
  page.on("request", (request) => asked.test(request.url()) && meanwhile.push(request.url()));
  for (let i = 0; i < 3; i++) await page.clock.fastForward(AFTER);
  // Sends one more request, so that all earlier requests have been reported.
  await page.evaluate(() => fetch("/api/v3/me").then((answer) => answer.text()));
  assert.deepEqual(meanwhile, [], `${path} polls although it is hidden`);
  await Promise.all([page.waitForRequest(asked), becomes(page, "visible")]);
}

function becomes(page, state) {
  return page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => now === "hidden" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

async function hiddenFromOthers(fixture, owner, { name, password }) {
  const page = await fixture.newVisitor();
  await fixture.signIn(name, password, page);
  await page.getByText(fixture.localized("No jobs yet", "暂无任务")).waitFor();
  assert.equal(await chooseTeam(fixture, page).count(), 0);
  await page.goto(`${fixture.server}/jobs?scope=team`);
  await page.getByText(fixture.localized("No jobs yet", "暂无任务")).waitFor();
  await page.goto(`${fixture.server}/jobs/${owner.name}/shared?tab=logs`);
  await page.getByText(fixture.localized("Job shared not found", "任务 shared 不存在")).waitFor();
  assert.equal(await page.getByText("read by colleagues").count(), 0);
}
