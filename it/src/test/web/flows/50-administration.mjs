// Administration pages: an invitation and a sign-up with this invitation, a virtual cluster and its group, a proposed image, and
// imported users.
import assert from "node:assert/strict";

const words = {
  en: {
    settings: "Settings", byCode: "With an invitation code", save: "Save", saved: "Saved.", invite: "New invitation", note: "Note",
    code: "Code", close: "Close", signUp: "Sign up", invitation: "Invitation code", user: "User name", password: "Password", repeat: "Confirm password",
    jobs: "Jobs", newCluster: "New virtual cluster", name: "Name", devices: "Devices", newGroup: "New group", clusters: "Virtual clusters",
    propose: "Propose image", image: "Image", proposed: "Proposed", approve: "Approve", approved: "Approved.", use: "Use in a job", dockerImage: "Docker image",
  },
  zh: {
    settings: "注册设置", byCode: "凭邀请码注册", save: "保存", saved: "已保存。", invite: "新建邀请码", note: "备注",
    code: "邀请码", close: "关闭", signUp: "注册", invitation: "邀请码", user: "用户名", password: "密码", repeat: "再次输入密码",
    jobs: "任务", newCluster: "新建虚拟集群", name: "名称", devices: "加速卡", newGroup: "新建用户组", clusters: "虚拟集群",
    propose: "推荐镜像", image: "镜像", proposed: "待审批", approve: "批准", approved: "已批准。", use: "用于任务", dockerImage: "Docker 镜像",
  },
};
const password = "Long-enough-7-words";

/** Ant Design may separate the two characters of a Chinese label. */
const named = (text) => new RegExp(`^${[...text].map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s?")}$`);
const button = (within, text) => within.getByRole("button", { name: named(text) });
const drawer = (page) => page.getByRole("dialog");

/** Creates an invitation; a guest signs up with it in another browser context. */
async function invite({ page, baseUrl, language, newVisitor }) {
  const w = words[language];
  await page.goto(`${baseUrl}/admin/signup?tab=settings`);
  await page.getByRole("radio", { name: w.byCode }).check();
  await button(page, w.save).click();
  await page.getByText(w.saved, { exact: true }).first().waitFor();

  await page.goto(`${baseUrl}/admin/signup`);
  await page.getByRole("button", { name: w.invite }).click();
  await drawer(page).getByLabel(w.note).fill(`flow ${language}`);
  await button(drawer(page), w.invite).click();
  const shown = drawer(page).filter({ hasText: "/signup?code=" });
  const code = (await shown.getByRole("definition").first().innerText()).trim();
  assert.ok(code.length >= 8, "the code is shown");
  await button(shown, w.close).click();

  const guest = await newVisitor();
  await guest.goto(`${baseUrl}/signup`);
  await guest.getByLabel(w.invitation).fill(code);
  await guest.getByLabel(w.user).fill(`guest-${language}-${Date.now() % 1e8}`);
  await guest.getByLabel(w.password, { exact: true }).fill(password);
  await guest.getByLabel(w.repeat).fill(password);
  await button(guest, w.signUp).click();
  await guest.getByRole("heading", { level: 1, name: w.jobs, exact: true }).waitFor();
}

/** Creates a virtual cluster with a quota and a group that can use it. */
async function clusterAndGroup({ page, baseUrl, language }) {
  const w = words[language];
  const name = `flow-${language}-${Date.now() % 1e8}`;
  await page.goto(`${baseUrl}/admin/virtual-clusters`);
  await page.getByRole("button", { name: w.newCluster }).click();
  await drawer(page).getByLabel(w.name, { exact: true }).fill(name);
  await drawer(page).getByLabel(w.devices, { exact: true }).fill("2");
  await button(drawer(page), w.save).click();
  await page.getByRole("row", { name: new RegExp(name) }).waitFor();

  await page.goto(`${baseUrl}/admin/groups`);
  await page.getByRole("button", { name: w.newGroup }).click();
  await drawer(page).getByLabel(w.name, { exact: true }).fill(name);
  await drawer(page).getByLabel(w.clusters).press("ArrowDown");
  await page.getByTitle(name, { exact: true }).locator("visible=true").last().click();
  await drawer(page).getByLabel(w.name, { exact: true }).click();
  await button(drawer(page), w.save).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.waitFor();
  assert.equal(await row.getByText(name, { exact: true }).count(), 2, "the group and the virtual cluster it grants");
}

/** A guest, who is not an administrator, proposes an image; the administrator approves it; the guest can use it. */
async function approveImage({ page, baseUrl, language, newVisitor }, fixture) {
  const w = words[language];
  const user = await fixture.newUser();
  const guest = await newVisitor();
  await fixture.createSession(user.name, user.password, guest);
  const name = `flow-${language}-${Date.now() % 1e8}`;
  await guest.goto(`${baseUrl}/images`);
  await guest.getByRole("button", { name: w.propose }).click();
  await drawer(guest).getByLabel(w.name, { exact: true }).fill(name);
  await drawer(guest).getByLabel(w.image, { exact: true }).fill("ubuntu:24.04");
  await button(drawer(guest), w.propose).click();
  await guest.getByRole("row", { name: new RegExp(name) }).getByText(w.proposed, { exact: true }).waitFor();

  await page.goto(`${baseUrl}/images`);
  await button(page.getByRole("row", { name: new RegExp(name) }), w.approve).click();
  await button(drawer(page), w.approve).click();
  await page.getByText(w.approved, { exact: true }).first().waitFor();

  await guest.goto(`${baseUrl}/images`);
  await guest.getByRole("row", { name: new RegExp(name) }).getByRole("link", { name: w.use }).click();
  await guest.waitForURL(`**/submit?image=${name}`);
  await guest.getByRole("combobox", { name: w.dockerImage, exact: true }).waitFor();
  await guest.getByTitle(name, { exact: true }).locator("visible=true").first().waitFor();
}

/**
 * Imports users from CSV text. The page first lists all problems; after they are fixed, it creates the users and shows their
 * passwords once.
 */
async function importUsers(fixture) {
  const { page } = fixture;
  const name = fixture.unique("pupil");
  await fixture.go("/admin/users");
  await fixture.button("Import CSV", "导入 CSV").click();
  const text = fixture.field("Or paste CSV text", "或粘贴 CSV 内容", fixture.dialog());
  await text.fill(`name,email\n${name},no-address\nnot a name,`);
  await fixture.button("Check", "检查", fixture.dialog()).click();
  await fixture.row("no-address", fixture.dialog()).waitFor();
  await fixture.dialog().getByRole("row", { name: /^3 name / }).waitFor();
  const chooser = page.waitForEvent("filechooser");
  await fixture.button("Choose file", "选择文件", fixture.dialog()).click();
  await (await chooser).setFiles({ name: "users.csv", mimeType: "text/csv", buffer: Buffer.from(`name,displayName\n${name},<b>张三</b>\n${name}-2,\n`) });
  await fixture.button("Check", "检查", fixture.dialog()).click();
  await fixture.text("No problems. 2 users will be created.", "没有问题，将创建 2 个用户。", fixture.dialog()).waitFor();
  await fixture.button("Import", "导入", fixture.dialog()).click();
  const shown = fixture.dialog().filter({ hasText: fixture.localized("2 users created", "已创建 2 个用户") });
  const given = (await shown.getByRole("definition").first().innerText()).trim();
  await fixture.button("Close", "关闭", shown).click();
  await fixture.row(name).first().getByText("<b>张三</b>").waitFor();
  await fixture.request("POST", "/sessions", { user: name, password: given });
}

/** Runs a flow in the page of a signed-in administrator. */
const asAdministrator = (work) => async (fixture) => {
  await fixture.createSession("admin", fixture.password);
  await work({ page: fixture.page, baseUrl: fixture.server, language: fixture.language, newVisitor: () => fixture.newVisitor() }, fixture);
};

export default {
  invite: asAdministrator(invite),
  clusterAndGroup: asAdministrator(clusterAndGroup),
  approveImage: asAdministrator(approveImage),
  importUsers: asAdministrator((_, fixture) => importUsers(fixture)),
};
