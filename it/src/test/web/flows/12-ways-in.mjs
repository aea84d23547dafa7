// Sign-up with approval by an administrator, and open sign-up.
const signUpMode = (fixture, mode) => fixture.together(() => fixture.requestAsAdmin("PUT", "/signup/settings", { mode }));

export default {
  async approval(fixture) {
    await signUpMode(fixture, "approval");
    await approved(fixture);
    await signUpMode(fixture, "code");
  },
  async open(fixture) {
    await signUpMode(fixture, "open");
    await openToAll(fixture);
    await signUpMode(fixture, "code");
  },
};

async function approved(fixture) {
  const { page } = fixture;
  const name = fixture.unique("asks");
  await fixture.go("/signup");
  await fill(fixture, name);
  await fixture.field("Message to the administrators (optional)", "给管理员留言（选填）").fill("I train <b>cats</b>");
  await fixture.button("Sign up", "注册").click();
  await fixture.text("Your request has been sent", "申请已提交").waitFor();
  await fixture.button("Go to sign-in", "去登录").click();
  await signInHere(fixture, name);
  await page.getByRole("alert").waitFor();

  const admin = await fixture.newVisitor();
  await fixture.createSession("admin", fixture.password, admin);
  await admin.goto(`${fixture.server}/admin/signup?tab=pending`);
  const row = fixture.row(name, admin);
  await row.getByText("I train <b>cats</b>").waitFor();
  await fixture.button("Approve", "批准", row).click();
  await fixture.button("Approve", "批准", fixture.dialog(admin)).click();
  await row.waitFor({ state: "detached" });

  await signInHere(fixture, name);
  await fixture.heading("Jobs", "任务").waitFor();
}

async function openToAll(fixture) {
  await fixture.go("/signup");
  await fill(fixture, fixture.unique("anybody"));
  await fixture.button("Sign up", "注册").click();
  await fixture.heading("Jobs", "任务").waitFor();
}

async function fill(fixture, name) {
  await fixture.field("User name", "用户名").fill(name);
  await fixture.field("Password", "密码").fill("a-good-password");
  await fixture.field("Confirm password", "再次输入密码").fill("a-good-password");
}

async function signInHere(fixture, name) {
  await fixture.field("User name", "用户名").fill(name);
  await fixture.field("Password", "密码").fill("a-good-password");
  await fixture.button("Sign in", "登录").click();
}
