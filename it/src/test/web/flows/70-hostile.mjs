// User input is shown as text: it is never executed and does not break the layout, on a desktop or on a phone.
import assert from "node:assert/strict";

const MARKUP = `<img src=x onerror="hacked=1"><svg onload=hacked=1>"'><script>hacked=1</script>`;
const TURNED = "\u202Egnp.exe\u2066\u200F";

/** Returns a text of the given length: markup, direction marks, then letters without spaces. */
const evil = (length) => (MARKUP + TURNED + "W".repeat(length)).slice(0, length);

/** Shell script that prints terminal titles, links and colors, markup, a long word and control characters. */
const script = [
  String.raw`printf '\033]0;title\007\033]8;;javascript:hacked=1\007link\033]8;;\007 \033[31;5mred\033[0m\n'`,
  String.raw`printf '<img src=x onerror=hacked=1><script>hacked=1</script> \342\200\256turned\007\010\000\302\205\n'`,
  `echo ${"W".repeat(500)}`,
  "cd /tmp/output",
  `echo x > '<img src=x onerror=hacked=1>'`,
  String.raw`echo x > "$(printf 'a\nb\033[31m')"`,
  String.raw`echo x > "$(printf '\342\200\256gnp.exe')"`,
  `echo x > ${"W".repeat(250)}`,
  `mkdir '<b onclick=hacked=1>' ${"D".repeat(250)}`,
  `echo 'ValueError: <img src=x onerror=hacked=1>${"W".repeat(500)}' >&2`,
  "exit 1",
].join("\n");

export default async function hostile(fixture) {
  const user = await fixture.newUser();
  const { node } = await badJob(fixture, user);
  await badTexts(fixture, user);
  const at = `/jobs/${user.name}/hostile`;
  const broken = [];
  await fixture.createSession("admin", fixture.password);
  await look(fixture, fixture.page, broken, [
    "/", `/jobs?scope=all&q=${user.name}`, at, `${at}?tab=tasks`, `${at}?tab=config`, `${at}?tab=events`, "/images", "/images?tab=registries",
    "/cluster?tab=clusters", "/admin/users", "/admin/groups", "/admin/signup", "/admin/signup?tab=pending", "/admin/requests",
    "/admin/virtual-clusters", "/admin/announcements", "/admin/audit", "/admin/tokens", `/submit?clone=${user.name}~hostile`,
  ]);
  await lines(fixture, `${at}?tab=logs`, broken);
  await files(fixture, `${at}?tab=outputs`, broken);
  await asUser(fixture, user, broken);
  if (fixture.language === "en") await cordoned(fixture, node, broken);
  assert.deepEqual(broken, []);
}

/** Runs once because there is only one node. */
async function cordoned(fixture, node, broken) {
  await fixture.requestAsAdmin("POST", `/nodes/${node}/cordon`, { reason: evil(500) });
  await look(fixture, fixture.page, broken, ["/cluster"]);
  await fixture.page.getByText(MARKUP).first().waitFor();
  await fixture.requestAsAdmin("POST", `/nodes/${node}/uncordon`);
}

/** Submits a job whose output, file names, error message and tag are hostile. */
async function badJob(fixture, { token }) {
  const file = fixture.job("hostile", script, { outputDir: "/tmp/output", jobEnvs: { WORD: MARKUP } });
  const { id } = await fixture.request("POST", "/jobs", file, token);
  await fixture.request("PUT", `/jobs/${id}/tags/${encodeURIComponent(evil(255))}`, undefined, token);
  const over = await fixture.waitForState(id, "FAILED", "SUCCEEDED", "STOPPED");
  return over.tasks[0];
}

async function badTexts(fixture, { name, token }) {
  await fixture.request("PATCH", `/users/${name}`, { displayName: evil(100) }, token);
  await fixture.request("POST", "/tokens", { name: evil(100) }, token);
  await fixture.request("POST", "/requests", { kind: "other", what: evil(200), text: evil(500) }, token);
  await fixture.request("POST", "/templates", { name: evil(100), description: evil(500), text: JSON.stringify(fixture.job("t", "true")) }, token);
  const short = fixture.unique("evil");
  await fixture.request("POST", "/images", { name: short, reference: "trainyard-test/busybox", description: evil(500), framework: "<b>torch</b>", tags: ["<i>t</i>"] }, token);
  await fixture.requestAsAdmin("POST", `/images/${short}/refuse`, { note: evil(500) });
  await fixture.requestAsAdmin("POST", "/announcements", { title: evil(200), text: evil(500) });
  await fixture.requestAsAdmin("POST", "/groups", { name: short, description: evil(500) });
  await fixture.requestAsAdmin("POST", "/virtual-clusters", { name: short, description: evil(500) });
  await fixture.requestAsAdmin("POST", "/signup/codes", { note: evil(200) });
  await fixture.requestAsAdmin("POST", "/registries", { host: `${short}.example.org`, description: evil(500) });
  await fixture.requestAsAdmin("PUT", "/signup/settings", { mode: "approval", text: { en: evil(500), zh: evil(500) } });
  await fixture.request("POST", "/signup", { name: fixture.unique("asks"), password: "a-good-password", displayName: evil(100), message: evil(500) });
}

/** Checks that no page is wider than its window and that none has executed user input. */
async function look(fixture, page, broken, paths) {
  await page.goto(fixture.server + paths[0]);
  for (const path of paths) {
    await fixture.follow(path, page);
    await fits(fixture, page, broken, path);
  }
}

async function fits(fixture, page, broken, what) {
  // Starts with the current width because resizing is slow.
  const widths = page.viewportSize().width === 390 ? [390, 1280] : [1280, 390];
  for (const width of widths) {
    if (page.viewportSize().width !== width) await page.setViewportSize({ width, height: 800 });
    const wide = await fixture.tooWide(page);
    if (wide > 0) broken.push(`${what} is ${wide} pixels wider than ${width}`);
  }
  if (await page.evaluate(() => "hacked" in window)) broken.push(`${what} has executed user input`);
}

async function lines(fixture, path, broken) {
  const { page } = fixture;
  await fixture.follow(path);
  const log = page.getByRole("log", { name: fixture.localized("Log", "日志") });
  await log.getByText("<img src=x onerror=hacked=1><script>hacked=1</script>").waitFor();
  assert.equal(await log.locator("img, script, a[href^=javascript]").count(), 0);
  assert.match(await log.innerText(), /⟨U\+202E⟩turned/);
  await fits(fixture, page, broken, path);
  await fixture.screenshot("hostile-log");
}

async function files(fixture, path, broken) {
  const { page } = fixture;
  await fixture.follow(path);
  await page.getByText("<img src=x onerror=hacked=1>", { exact: true }).waitFor();
  await page.getByText("⟨U+202E⟩gnp.exe", { exact: true }).waitFor();
  await page.getByText("a␊b␛[31m", { exact: true }).waitFor();
  await fits(fixture, page, broken, path);
  await page.getByRole("button", { name: "<b onclick=hacked=1>" }).click();
  await fixture.text("No saved files.", "没有保存的文件。").waitFor();
  await fits(fixture, page, broken, `${path}, a directory`);
}

/** Checks the pages before sign-in and as the user who wrote the texts. */
async function asUser(fixture, { name, password }, broken) {
  const page = await fixture.newVisitor();
  await look(fixture, page, broken, ["/signup"]);
  await page.getByText(MARKUP).first().waitFor();
  await fixture.createSession(name, password, page);
  await look(fixture, page, broken, ["/", "/account", "/account/tokens", "/account/requests", "/images", "/submit"]);
  await fixture.button("Templates", "模板", page).click();
  await fixture.dialog(page).getByText(MARKUP).first().waitFor();
  await fits(fixture, page, broken, "the templates");
}
