// What people write is shown as they wrote it: it runs nothing, and it breaks no page, on a desk nor on a phone.
import assert from "node:assert/strict";

const MARKUP = `<img src=x onerror="hacked=1"><svg onload=hacked=1>"'><script>hacked=1</script>`;
const TURNED = "\u202Egnp.exe\u2066\u200F";

/** So many characters without a blank at the end, after what would run and what turns the writing. */
const evil = (length) => (MARKUP + TURNED + "W".repeat(length)).slice(0, length);

/** In the words of a shell: titles, links and colours for terminals, markup, a long word, control characters. */
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

export default async function hostile(world) {
  const user = await world.newUser();
  const { node } = await badJob(world, user);
  await badWords(world, user);
  const at = `/jobs/${user.name}/hostile`;
  const broken = [];
  await world.signedIn("admin", world.password);
  await look(world, world.page, broken, [
    "/", `/jobs?scope=all&q=${user.name}`, at, `${at}?tab=tasks`, `${at}?tab=config`, `${at}?tab=events`, "/images", "/images?tab=registries",
    "/cluster?tab=clusters", "/admin/users", "/admin/groups", "/admin/signup", "/admin/signup?tab=pending", "/admin/requests",
    "/admin/virtual-clusters", "/admin/announcements", "/admin/audit", "/admin/tokens", `/submit?clone=${user.name}~hostile`,
  ]);
  await lines(world, `${at}?tab=logs`, broken);
  await files(world, `${at}?tab=outputs`, broken);
  await asUser(world, user, broken);
  if (world.language === "en") await cordoned(world, node, broken);
  assert.deepEqual(broken, []);
}

/** There is but one machine, so this is looked at once. */
async function cordoned(world, node, broken) {
  await world.asAdmin("POST", `/nodes/${node}/cordon`, { reason: evil(500) });
  await look(world, world.page, broken, ["/cluster"]);
  await world.page.getByText(MARKUP).first().waitFor();
  await world.asAdmin("POST", `/nodes/${node}/uncordon`);
}

/** Prints, saves and dies of what it should not, and is tagged so. */
async function badJob(world, { token }) {
  const file = world.job("hostile", script, { outputDir: "/tmp/output", jobEnvs: { WORD: MARKUP } });
  const { id } = await world.ask("POST", "/jobs", file, token);
  await world.ask("PUT", `/jobs/${id}/tags/${encodeURIComponent(evil(255))}`, undefined, token);
  const over = await world.jobIs(id, "FAILED", "SUCCEEDED", "STOPPED");
  return over.tasks[0];
}

async function badWords(world, { name, token }) {
  await world.ask("PATCH", `/users/${name}`, { displayName: evil(100) }, token);
  await world.ask("POST", "/tokens", { name: evil(100) }, token);
  await world.ask("POST", "/requests", { kind: "other", what: evil(200), text: evil(500) }, token);
  await world.ask("POST", "/templates", { name: evil(100), description: evil(500), text: JSON.stringify(world.job("t", "true")) }, token);
  const short = world.unique("evil");
  await world.ask("POST", "/images", { name: short, reference: "trainyard-test/busybox", description: evil(500), framework: "<b>torch</b>", tags: ["<i>t</i>"] }, token);
  await world.asAdmin("POST", `/images/${short}/refuse`, { note: evil(500) });
  await world.asAdmin("POST", "/announcements", { title: evil(200), text: evil(500) });
  await world.asAdmin("POST", "/groups", { name: short, description: evil(500) });
  await world.asAdmin("POST", "/virtual-clusters", { name: short, description: evil(500) });
  await world.asAdmin("POST", "/signup/codes", { note: evil(200) });
  await world.asAdmin("POST", "/registries", { host: `${short}.example.org`, description: evil(500) });
  await world.asAdmin("PUT", "/signup/settings", { mode: "approval", text: { en: evil(500), zh: evil(500) } });
  await world.ask("POST", "/signup", { name: world.unique("asks"), password: "a-good-password", displayName: evil(100), message: evil(500) });
}

/** No page is wider than its window, and none has run anything. */
async function look(world, page, broken, paths) {
  await page.goto(world.server + paths[0]);
  for (const path of paths) {
    await world.follow(path, page);
    await fits(world, page, broken, path);
  }
}

async function fits(world, page, broken, what) {
  // First as it is: changing it takes longer than looking.
  const widths = page.viewportSize().width === 390 ? [390, 1280] : [1280, 390];
  for (const width of widths) {
    if (page.viewportSize().width !== width) await page.setViewportSize({ width, height: 800 });
    const wide = await world.tooWide(page);
    if (wide > 0) broken.push(`${what} is ${wide} pixels wider than ${width}`);
  }
  if (await page.evaluate(() => "hacked" in window)) broken.push(`${what} has run what somebody wrote`);
}

async function lines(world, path, broken) {
  const { page } = world;
  await world.follow(path);
  const log = page.getByRole("log", { name: world.say("Log", "日志") });
  await log.getByText("<img src=x onerror=hacked=1><script>hacked=1</script>").waitFor();
  assert.equal(await log.locator("img, script, a[href^=javascript]").count(), 0);
  assert.match(await log.innerText(), /⟨U\+202E⟩turned/);
  await fits(world, page, broken, path);
  await world.screenshot("hostile-log");
}

async function files(world, path, broken) {
  const { page } = world;
  await world.follow(path);
  await page.getByText("<img src=x onerror=hacked=1>", { exact: true }).waitFor();
  await page.getByText("⟨U+202E⟩gnp.exe", { exact: true }).waitFor();
  await page.getByText("a␊b␛[31m", { exact: true }).waitFor();
  await fits(world, page, broken, path);
  await page.getByRole("button", { name: "<b onclick=hacked=1>" }).click();
  await world.text("No saved files.", "没有保存的文件。").waitFor();
  await fits(world, page, broken, `${path}, a directory`);
}

/** The same before the sign-in, and as whom it is about. */
async function asUser(world, { name, password }, broken) {
  const page = await world.newVisitor();
  await look(world, page, broken, ["/signup"]);
  await page.getByText(MARKUP).first().waitFor();
  await world.signedIn(name, password, page);
  await look(world, page, broken, ["/", "/account", "/account/tokens", "/account/requests", "/images", "/submit"]);
  await world.button("Templates", "模板", page).click();
  await world.dialog(page).getByText(MARKUP).first().waitFor();
  await fits(world, page, broken, "the templates");
}
