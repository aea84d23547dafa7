/** Sign up with an invitation code, sign out, sign in, and be at Jobs. */
export default async function signUp(world) {
  const { page } = world;
  await world.asAdmin("PUT", "/signup/settings", { mode: "code", text: { en: "Write to ops@example.org", zh: "请联系 ops@example.org" } });
  const { code } = await world.asAdmin("POST", "/signup/codes", { uses: 1 });
  const name = `new-user-${world.language}-${process.pid}`;

  await world.go("/");
  await world.screenshot("landing");
  await page.getByRole("banner").getByRole("link", { name: world.say("Login", "登录") }).click();
  await page.getByRole("link", { name: world.say("Sign up", "注册") }).click();
  await page.getByText("ops@example.org").waitFor();
  await fill(world, name, "wrong-code");
  await page.getByRole("alert").waitFor();
  await world.field("Invitation code", "邀请码").fill(code);
  await world.button("Sign up", "注册").click();
  await world.heading("Jobs", "任务").waitFor();
  await page.getByText(world.say("No jobs yet", "暂无任务")).waitFor();

  await page.getByRole("button", { name: world.say("User menu", "用户菜单") }).click();
  await world.menu("Sign out", "退出登录").click();
  await page.getByRole("banner").getByText(world.say("Login", "登录")).waitFor();

  await world.go("/jobs?state=RUNNING");
  await world.field("User name", "用户名").fill(name);
  await world.field("Password", "密码").fill("not-the-password");
  await world.button("Sign in", "登录").click();
  await page.getByRole("alert").waitFor();
  await world.field("Password", "密码").fill("a-good-password");
  await world.button("Sign in", "登录").click();
  await world.heading("Jobs", "任务").waitFor();
  await page.waitForURL("**/jobs?state=RUNNING");
}

async function fill(world, name, code) {
  await world.field("Invitation code", "邀请码").fill(code);
  await world.field("User name", "用户名").fill(name);
  await world.field("Password", "密码").fill("a-good-password");
  await world.field("Confirm password", "再次输入密码").fill("a-good-password");
  await world.button("Sign up", "注册").click();
}
