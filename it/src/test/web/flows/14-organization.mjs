// Sign-in with a real OpenID Connect provider, whose pages are in English.
import { expectValue } from "../submit-form.mjs";

export const needs = ["provider"];

export default async function organization(fixture) {
  const name = fixture.unique("member");
  const claims = (member) => ({ preferred_username: member, email: `${member}@example.org`, name: "<b>Member</b>" });
  await fixture.together((members) => fixture.provider.setUsers(Object.fromEntries(members.map((member) => [member, claims(member)]))), name);
  await signInThere(fixture, name);
}

async function signInThere(fixture, name) {
  const { page } = fixture;
  await fixture.go("/cluster");
  await page.waitForURL(/\/signin/);
  await page.getByRole("link", { name: fixture.localized("Sign in with your organization", "使用单位账号登录") }).click();
  await page.getByPlaceholder("Enter any login").fill(name);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${fixture.server}/cluster`);
  await fixture.heading("Cluster", "集群").waitFor();
  await page.getByRole("button", { name: `${fixture.localized("User menu: ", "用户菜单：")}${name}` }).waitFor();
  await fixture.go("/account");
  await expectValue(fixture.field("Full name", "姓名"), "<b>Member</b>");
}
