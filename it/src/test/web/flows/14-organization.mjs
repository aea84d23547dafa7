// Signing in with one's organisation: by a real OpenID Connect provider, whose pages are in English.
import { expectValue } from "../form.mjs";

export const needs = ["provider"];
export const together = true;

export default async function organization({ en, zh }) {
  const members = [en, zh].map((world) => world.unique("member"));
  await en.provider.says(Object.fromEntries(members.map((name) => [name, { preferred_username: name, email: `${name}@example.org`, name: "<b>Member</b>" }])));
  await Promise.all([en, zh].map((world, i) => signInThere(world, members[i])));
}

async function signInThere(world, name) {
  const { page } = world;
  await world.go("/cluster");
  await page.waitForURL(/\/signin/);
  await page.getByRole("link", { name: world.say("Sign in with your organization", "使用单位账号登录") }).click();
  await page.getByPlaceholder("Enter any login").fill(name);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${world.server}/cluster`);
  await world.heading("Cluster", "集群").waitFor();
  await page.getByRole("button", { name: `${world.say("User menu: ", "用户菜单：")}${name}` }).waitFor();
  await world.go("/account");
  await expectValue(world.field("Full name", "姓名"), "<b>Member</b>");
}
