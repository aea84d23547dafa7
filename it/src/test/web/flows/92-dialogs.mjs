// Checks dialogs, drawers, confirmations and menus with axe-core, each in one language and one theme.
export const long = true;

export default async function dialogs(fixture) {
  const things = await fixture.together(() => prepare(fixture));
  const found = await tour(fixture, dialogList(things).filter((_, i) => i % 2 === fixture.localized(0, 1)));
  if (found.length > 0) throw new Error(found.join("\n"));
}

/** Creates objects of every kind that can be edited, stopped or deleted. */
async function prepare(fixture) {
  const { name: user, token } = await fixture.newUser();
  const over = await fixture.request("POST", "/jobs", fixture.job("over", `echo ${"long ".repeat(3_000)}; exit 1`), token);
  await fixture.request("POST", "/jobs", fixture.job("goes-on", "sleep 3600"), token);
  const never = await fixture.request("POST", "/jobs", fixture.job("never", "true", { role: { gpuNumber: 4_000 } }), token);
  await fixture.requestAsAdmin("POST", `/jobs/${never.id}/stop`);
  const some = fixture.unique("some");
  await fixture.request("POST", "/requests", { kind: "other", what: some, text: "please" }, token);
  await fixture.request("POST", "/images", { name: some, reference: "trainyard-test/busybox", description: "for tests" }, token);
  await fixture.requestAsAdmin("POST", "/groups", { name: some });
  await fixture.requestAsAdmin("PUT", `/groups/${some}/members/${user}`);
  await fixture.requestAsAdmin("POST", "/virtual-clusters", { name: some });
  await fixture.requestAsAdmin("POST", "/announcements", { title: some, text: "a word" });
  await fixture.requestAsAdmin("POST", "/signup/codes", { note: some });
  await fixture.requestAsAdmin("POST", "/tokens", { name: some });
  await fixture.waitForState(over.id, "FAILED");
  return { user, some };
}

/**
 * Returns for each dialog its page and how to open it: the labels to click in both languages, optionally within a table row, or
 * the key to press.
 */
function dialogList({ user, some }) {
  const job = `/jobs/${user}/`;
  const jobs = `/jobs?scope=all&user=${user}`;
  const edit = ["Edit", "编辑"];
  const remove = ["Delete", "删除"];
  return [
    { at: jobs, press: [["Actions for over", "over 的操作"]], shows: "menu" },
    { at: jobs, press: [["Actions for over", "over 的操作"], ["Add tag", "添加标签"]] },
    { at: jobs, press: [["Actions for over", "over 的操作"], remove] },
    { at: jobs, press: [["Actions for goes-on", "goes-on 的操作"], ["Stop", "停止"]] },
    { at: `${job}goes-on`, press: [["Stop", "停止"]] },
    { at: `${job}over`, press: [["More actions", "更多操作"]], shows: "menu" },
    { at: `${job}over`, press: [["More actions", "更多操作"], remove] },
    { at: `${job}over?tab=logs`, press: [["1", "1"]] },
    { at: `${job}over?tab=config`, choose: ["Compare with another job", "与其他任务对比"] },
    { at: `/submit?clone=${user}~over`, press: [["Templates", "模板"]] },
    { at: `/submit?clone=${user}~never`, press: [["Submit", "提交"]] },
    { at: `${job}over`, key: "?" },
    { at: `/submit?clone=${user}~over`, press: [["JSON", "JSON"]] },
    { at: "/submit", press: [["Export", "导出"]], shows: "menu" },
    { at: "/submit", press: [["Export", "导出"], ["Save as template", "另存为模板"]] },
    { at: "/images", press: [["Add image", "添加镜像"]] },
    { at: "/images", row: some, press: [["Approve", "批准"]] },
    { at: "/images", row: some, press: [["Reject", "拒绝"]] },
    { at: "/images", row: some, press: [edit] },
    { at: "/images", row: some, press: [remove] },
    { at: "/images?tab=registries", press: [["Add registry", "添加仓库"]] },
    { at: "/images?tab=logins", press: [["Add login", "添加登录"]] },
    { at: "/cluster", press: [["Cordon", "停止调度"]] },
    { at: "/admin/users", press: [["New user", "新建用户"]] },
    { at: "/admin/users", press: [["Import CSV", "导入 CSV"]] },
    { at: `/admin/users?search=${user}`, row: user, press: [edit] },
    { at: `/admin/users?search=${user}`, row: user, press: [["Reset password", "重置密码"]] },
    { at: `/admin/users?search=${user}`, row: user, press: [remove] },
    { at: "/admin/groups", press: [["New group", "新建用户组"]] },
    { at: "/admin/groups", row: some, press: [edit] },
    { at: "/admin/groups", row: some, press: [["Members", "成员"]] },
    { at: "/admin/groups", row: some, press: [remove] },
    { at: "/admin/signup", press: [["New invitation", "新建邀请码"]] },
    { at: "/admin/signup", press: [["New invitation", "新建邀请码"]], then: [["New invitation", "新建邀请码"]] },
    { at: "/admin/signup", row: some, press: [["Revoke", "撤销"]] },
    { at: "/admin/requests", row: some, press: [["Approve", "批准"]] },
    { at: "/admin/requests", row: some, press: [["Reject", "拒绝"]] },
    { at: "/admin/virtual-clusters", press: [["New virtual cluster", "新建虚拟集群"]] },
    { at: "/admin/virtual-clusters", row: some, press: [edit] },
    { at: "/admin/storages", press: [["New storage", "新建存储"]] },
    { at: "/admin/announcements", press: [["New announcement", "新建公告"]] },
    { at: "/admin/announcements", row: some, press: [edit] },
    { at: "/admin/tokens?user=admin", row: some, press: [["Revoke", "撤销"]] },
    { at: "/admin/settings?tab=maintenance", press: [["Replace key", "更换加密密钥"]] },
    { at: "/account/tokens", press: [["New token", "新建令牌"]] },
    { at: "/account/tokens", row: some, press: [["Revoke", "撤销"]], shows: "tooltip" },
    { at: "/account/requests", press: [["New request", "新建申请"]] },
    { at: "/", press: [["User menu: admin", "用户菜单：admin"]], shows: "menu" },
    { at: "/", press: [["Theme", "主题"]], shows: "menu" },
    { at: "/", press: [["Menu", "菜单"]], width: 390 },
  ];
}

async function tour(fixture, some) {
  await fixture.createSession("admin", fixture.password);
  await fixture.go("/help");
  const found = [];
  for (const [turn, one] of some.entries()) {
    const what = `${one.at}${one.row ? ` ${one.row}` : ""}, ${(one.press ?? [one.choose ?? [one.key]]).map(([en]) => en)}`;
    try {
      // The first half of the dialogs is checked in the light theme and the second half in the dark theme, because changing the
      // theme is slow.
      const faults = await checkDialog(fixture, one, turn < some.length / 2 ? "light" : "dark");
      found.push(...faults.map((fault) => `${what}: ${fault}`));
    } catch (error) {
      found.push(`${what}: ${error.message}`);
      await fixture.screenshot("failed-dialog");
      await fixture.go("/help");
    }
  }
  return found;
}

async function checkDialog(fixture, { at, row, press = [], choose, key, then = [], shows = "dialog", width = 1280 }, theme) {
  const { page } = fixture;
  await page.setViewportSize({ width, height: 800 });
  await fixture.follow(at);
  // Set the theme before the dialog opens, because an open dialog would be rendered again.
  await page.emulateMedia({ colorScheme: theme });
  const scope = row ? fixture.row(row).first() : page;
  for (const [i, [en, zh]] of press.entries()) {
    const button = fixture.button(en, zh, i === 0 ? scope : page);
    await (i === 0 ? button : button.or(fixture.menu(en, zh))).first().click();
  }
  if (key) await page.keyboard.press(key);
  if (choose) {
    const field = page.getByRole("combobox", { name: fixture.localized(...choose) });
    await field.focus();
    await field.press("ArrowDown");
  }
  const opened = (choose ? page.locator(".ant-select-dropdown") : page.getByRole(shows)).locator("visible=true").last();
  await opened.waitFor();
  for (const [en, zh] of then) {
    await fixture.button(en, zh, opened).click();
    await fixture.button("Close", "关闭").last().waitFor();
  }
  await page.waitForFunction(() => !document.querySelector(".ant-skeleton, .ant-spin-spinning"));
  const within = shows === "dialog" && !choose ? page.locator(".ant-modal-wrap:visible, .ant-drawer-open").last() : opened;
  const faults = await fixture.accessFaults(theme, { within });
  await (shows === "dialog" && !choose ? close(fixture, opened) : page.mouse.click(2, 790));
  return faults;
}

async function close(fixture, opened) {
  await fixture.page.keyboard.press("Escape");
  const gone = await opened.waitFor({ state: "hidden", timeout: 1_000 }).then(() => true, () => false);
  // The editor handles Escape itself.
  if (!gone) await opened.getByRole("button", { name: fixture.localized(/^(Close|Cancel)$/, /^(关闭|取消)$/) }).first().click();
  await opened.waitFor({ state: "hidden" });
}
