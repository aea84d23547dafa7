/** Signs up with an invitation code, signs out, signs in and checks that the list of jobs is shown. */
export default async function signUp(fixture) {
  const { page } = fixture;
  await fixture.requestAsAdmin("PUT", "/signup/settings", { mode: "code", text: { en: "Write to ops@example.org", zh: "请联系 ops@example.org" } });
  const { code } = await fixture.requestAsAdmin("POST", "/signup/codes", { uses: 1 });
  const name = `new-user-${fixture.language}-${process.pid}`;

  await fixture.go("/");
  await fixture.screenshot("landing");
  await page.getByRole("banner").getByRole("link", { name: fixture.localized("Login", "登录") }).click();
  await page.getByRole("link", { name: fixture.localized("Sign up", "注册") }).click();
  await page.getByText("ops@example.org").waitFor();
  await fill(fixture, name, "wrong-code");
  await page.getByRole("alert").waitFor();
  await fixture.field("Invitation code", "邀请码").fill(code);
  await fixture.button("Sign up", "注册").click();
  await fixture.heading("Jobs", "任务").waitFor();
  await page.getByText(fixture.localized("No jobs yet", "暂无任务")).waitFor();

  await page.getByRole("button", { name: fixture.localized("User menu", "用户菜单") }).click();
  await fixture.menu("Sign out", "退出登录").click();
  await page.getByRole("banner").getByText(fixture.localized("Login", "登录")).waitFor();

  await fixture.go("/jobs?state=RUNNING");
  await fixture.field("User name", "用户名").fill(name);
  await fixture.field("Password", "密码").fill("not-the-password");
  await fixture.button("Sign in", "登录").click();
  await page.getByRole("alert").waitFor();
  await fixture.field("Password", "密码").fill("a-good-password");
  await fixture.button("Sign in", "登录").click();
  await fixture.heading("Jobs", "任务").waitFor();
  await page.waitForURL("**/jobs?state=RUNNING");
}

async function fill(fixture, name, code) {
  await fixture.field("Invitation code", "邀请码").fill(code);
  await fixture.field("User name", "用户名").fill(name);
  await fixture.field("Password", "密码").fill("a-good-password");
  await fixture.field("Confirm password", "再次输入密码").fill("a-good-password");
  await fixture.button("Sign up", "注册").click();
}
