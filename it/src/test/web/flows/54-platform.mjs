// Pages for administrators: the platform summary on the home page, open requests, announcements, the image catalog, the table of
// users and the contact.
import assert from "node:assert/strict";

/** The home page shows nodes, the badge of an open request, and warnings. */
async function home(fixture) {
  const { token } = await fixture.newUser();
  await fixture.request("POST", "/requests", { kind: "other", text: "more GPUs" }, token);
  await fixture.createSession("admin", fixture.password);
  await fixture.go("/");
  const requests = fixture.page.getByRole("listitem").filter({ has: fixture.page.getByRole("link", { name: fixture.localized("Open requests", "待处理的申请") }) });
  await requests.locator(".ant-badge-count").waitFor();
  for (const [en, zh] of [["Waiting jobs", "排队中的任务"], ["Nodes", "节点"]]) {
    await fixture.link(en, zh, fixture.page.locator(".platform")).waitFor();
  }
  await fixture.page.getByRole("link", { name: fixture.localized("Cordoned nodes", "已停止调度的节点") }).waitFor();
  await fixture.text(/share the network of the host|共用主机网络/, /share the network of the host|共用主机网络/).first().waitFor();
  await fixture.screenshot("home-administrator");
}

/** The menu of the administration shows the number of open requests. */
async function menu(fixture) {
  const { token } = await fixture.newUser();
  await fixture.request("POST", "/requests", { kind: "other", text: "more memory" }, token);
  await fixture.createSession("admin", fixture.password);
  await fixture.go("/admin/users");
  const entry = fixture.page.getByRole("menuitem").filter({ has: fixture.page.getByRole("link", { name: fixture.localized("Requests", "申请") }) });
  await entry.locator(".ant-badge-count").waitFor();
}

/** Users see an announcement on both pages that can be the first page after a sign-in. */
async function announcement(fixture) {
  const { name, password } = await fixture.newUser();
  const title = fixture.unique("maintenance");
  const { id } = await fixture.requestAsAdmin("POST", "/announcements", { title, text: "tonight" });
  await fixture.createSession(name, password);
  for (const path of ["/", "/jobs"]) {
    await fixture.go(path);
    await fixture.page.locator(".announcement").filter({ hasText: title }).waitFor();
  }
  await fixture.requestAsAdmin("DELETE", `/announcements/${id}`);
}

/** The catalog of a new server lists images with a description in the language of the user. */
async function catalog(fixture) {
  const { name, password } = await fixture.newUser();
  await fixture.createSession(name, password);
  await fixture.go("/images?search=deepo");
  const row = fixture.page.getByRole("row").filter({ hasText: "docker.io/ufoym/deepo" });
  await row.getByText(fixture.localized("other frameworks", "等多种框架")).first().waitFor();
  await row.getByText(fixture.localized("Not used by this engine", "当前引擎不使用")).waitFor();
  await row.getByText(fixture.localized("Included with the server", "服务器自带")).waitFor();
  await fixture.screenshot("catalog");
}

/** The users table shows groups, the last sign-in and the usage. */
async function users(fixture) {
  await fixture.createSession("admin", fixture.password);
  await fixture.go("/admin/users?search=admin");
  for (const title of fixture.localized(["Groups", "Last sign-in", "Usage, 30 days"], ["用户组", "最近登录", "近 30 天用量"])) {
    await fixture.page.getByRole("columnheader", { name: title }).first().waitFor();
  }
  await fixture.screenshot("users");
}

/** An administrator sets the contact; visitors see it as plain text in the footer and on the sign-up page. */
async function contact(fixture) {
  const text = `<b>${fixture.language}</b> 社区`;
  await fixture.createSession("admin", fixture.password);
  await fixture.go("/admin/announcements");
  await fixture.page.getByLabel(fixture.localized("Text (English)", "说明（英文）")).fill(text);
  await fixture.page.getByLabel(fixture.localized("Text (Chinese)", "说明（中文）")).fill(text);
  await fixture.page.getByLabel(fixture.localized("Email", "邮箱"), { exact: true }).fill("help@example.org");
  await fixture.page.getByRole("textbox", { name: fixture.localized("QR code", "二维码"), exact: true }).fill("https://chat.example.org/join");
  await fixture.button("Save contact", "保存联系方式").click();
  await fixture.text("Contact saved.", "联系方式已保存。").first().waitFor();
  const visitor = await fixture.newVisitor();
  for (const path of ["/signup", "/"]) {
    await visitor.goto(fixture.server + path);
    const shown = visitor.getByRole("region", { name: fixture.localized("Contact", "联系方式") });
    await shown.getByText(text).waitFor();
    await shown.getByRole("img", { name: fixture.localized("QR code", "二维码") }).waitFor();
    assert.equal(await shown.getByRole("link", { name: "help@example.org" }).getAttribute("href"), "mailto:help@example.org");
  }
  await fixture.screenshot("contact", visitor);
}

export const sequential = true;
export default { home, menu, announcement, catalog, users, contact };
