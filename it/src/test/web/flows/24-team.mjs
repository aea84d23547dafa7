// Jobs that a group shares: a colleague sees them among the team's, opens them and reads along, and can't change them; others see nothing.
import assert from "node:assert/strict";

/** Longer than pages wait before they ask again. */
const AFTER = 6_000;

export default async function team(world) {
  const [owner, colleague, outsider] = [await world.newUser(), await world.newUser(), await world.newUser()];
  const group = world.unique("lab");
  await world.asAdmin("POST", "/groups", { name: group, sharesJobs: true });
  for (const { name } of [owner, colleague]) await world.asAdmin("PUT", `/groups/${group}/members/${name}`);
  const { id } = await world.ask("POST", "/jobs", world.job("shared", "echo read by colleagues; until [ -e /userhome/go ]; do sleep 0.2; done"), owner.token);
  await world.jobIs(id, "RUNNING");

  await list(world, colleague);
  await jobPage(world, owner);
  await followedWhileSeen(world, owner, id);
  await notForOthers(world, owner, outsider);
}

const chooseTeam = (world, page = world.page) => page.getByRole("radiogroup", { name: world.say("Scope", "任务范围") }).getByText(world.say("My team's jobs", "团队任务"), { exact: true });

async function list(world, { name, password }) {
  const { page } = world;
  await world.signIn(name, password);
  await page.getByText(world.say("No jobs yet", "暂无任务")).waitFor();
  await chooseTeam(world).click();
  await page.waitForURL(/scope=team/);
  await world.state("shared", "Running", "运行中").waitFor();
  assert.equal(await world.row("shared").getByRole("checkbox").isDisabled(), true);
  await page.getByRole("button", { name: world.say("Actions for shared", "shared 的操作") }).click();
  await world.menu("Clone", "克隆").waitFor();
  assert.equal(await page.getByRole("menuitem").filter({ hasText: world.say(/Stop|Delete|tag/, /停止|删除|标签/) }).count(), 0);
  await page.keyboard.press("Escape");
}

/** No button for what only the owner may do, and no terminal. */
async function jobPage(world, owner) {
  const { page } = world;
  await world.link("shared", "shared").click();
  await page.waitForURL(`**/jobs/${owner.name}/shared`);
  await world.button("Clone", "克隆").or(world.link("Clone", "克隆")).first().waitFor();
  for (const [en, zh] of [["Stop", "停止"], ["Pause", "暂停"], ["Delete", "删除"], ["More actions", "更多操作"], ["Tag", "标签"]]) {
    assert.equal(await world.button(en, zh).count(), 0, en);
  }
  assert.equal(await world.tab("Terminal", "终端").count(), 0);
  await world.tab("Logs", "日志").click();
  await page.getByRole("log", { name: world.say("Log", "日志") }).getByText("read by colleagues", { exact: true }).waitFor();
  await world.screenshot("team");
}

/** No event tells of it: pages ask by themselves, but not behind others. Their clock is put forward. */
async function followedWhileSeen(world, owner, id) {
  const list = { page: await world.context.newPage(), path: "/jobs?scope=team", asked: /\/api\/v3\/jobs\?.*scope=team/ };
  const one = { page: await world.context.newPage(), path: `/jobs/${owner.name}/shared`, asked: /\/api\/v3\/jobs\/[^/]+~shared$/ };
  const both = (act) => Promise.all([list, one].map(act));
  await both(async ({ page, path }) => {
    await page.clock.install();
    await page.goto(world.server + path);
    await page.getByText(world.say("Running", "运行中"), { exact: true }).first().waitFor();
  });
  await both(asksOnlyWhileSeen);
  await world.ask("POST", "/jobs", world.job("go", "touch /userhome/go"), owner.token);
  await world.jobIs(id, "SUCCEEDED");
  await both(async ({ page }) => {
    await page.clock.fastForward(AFTER);
    await page.getByText(world.say("Succeeded", "成功"), { exact: true }).first().waitFor();
    await page.close();
  });
}

async function asksOnlyWhileSeen({ page, path, asked }) {
  await Promise.all([page.waitForRequest(asked), page.clock.fastForward(AFTER)]);
  await becomes(page, "hidden");
  const meanwhile = [];
  page.on("request", (request) => asked.test(request.url()) && meanwhile.push(request.url()));
  for (let i = 0; i < 3; i++) await page.clock.fastForward(AFTER);
  // Whatever was asked for before is told before.
  await page.evaluate(() => fetch("/api/v3/me").then((answer) => answer.text()));
  assert.deepEqual(meanwhile, [], `${path} asks though nobody sees it`);
  await Promise.all([page.waitForRequest(asked), becomes(page, "visible")]);
}

function becomes(page, state) {
  return page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => now === "hidden" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

async function notForOthers(world, owner, { name, password }) {
  const page = await world.newVisitor();
  await world.signIn(name, password, page);
  await page.getByText(world.say("No jobs yet", "暂无任务")).waitFor();
  assert.equal(await chooseTeam(world, page).count(), 0);
  await page.goto(`${world.server}/jobs?scope=team`);
  await page.getByText(world.say("No jobs yet", "暂无任务")).waitFor();
  await page.goto(`${world.server}/jobs/${owner.name}/shared?tab=logs`);
  await page.getByText(world.say("Job shared not found", "任务 shared 不存在")).waitFor();
  assert.equal(await page.getByText("read by colleagues").count(), 0);
}
