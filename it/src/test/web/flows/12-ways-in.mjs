// Signing up where an administrator approves, and where everybody may.
export const together = true;

export default async function waysIn({ en, zh }) {
  await en.asAdmin("PUT", "/signup/settings", { mode: "approval" });
  await Promise.all([approved(en), approved(zh)]);
  await en.asAdmin("PUT", "/signup/settings", { mode: "open" });
  await Promise.all([openToAll(en), openToAll(zh)]);
  await en.asAdmin("PUT", "/signup/settings", { mode: "code" });
}

async function approved(world) {
  const { page } = world;
  const name = world.unique("asks");
  await world.go("/signup");
  await fill(world, name);
  await world.field("Message to the administrators (optional)", "给管理员留言（选填）").fill("I train <b>cats</b>");
  await world.button("Sign up", "注册").click();
  await world.text("Your request has been sent", "申请已提交").waitFor();
  await world.button("Go to sign-in", "去登录").click();
  await signInHere(world, name);
  await page.getByRole("alert").waitFor();

  const admin = await world.newVisitor();
  await world.signedIn("admin", world.password, admin);
  await admin.goto(`${world.server}/admin/signup?tab=pending`);
  const row = world.row(name, admin);
  await row.getByText("I train <b>cats</b>").waitFor();
  await world.button("Approve", "批准", row).click();
  await world.button("Approve", "批准", world.dialog(admin)).click();
  await row.waitFor({ state: "detached" });

  await signInHere(world, name);
  await world.heading("Jobs", "任务").waitFor();
  await page.context().clearCookies();
}

async function openToAll(world) {
  await world.go("/signup");
  await fill(world, world.unique("anybody"));
  await world.button("Sign up", "注册").click();
  await world.heading("Jobs", "任务").waitFor();
}

async function fill(world, name) {
  await world.field("User name", "用户名").fill(name);
  await world.field("Password", "密码").fill("a-good-password");
  await world.field("Confirm password", "再次输入密码").fill("a-good-password");
}

async function signInHere(world, name) {
  await world.field("User name", "用户名").fill(name);
  await world.field("Password", "密码").fill("a-good-password");
  await world.button("Sign in", "登录").click();
}
