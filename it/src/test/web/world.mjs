import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let users = 0;

/** A browser in front of the server, in one language, and an administrator's hand for what is needed before. */
export class World {
  static async open({ server, password, screenshots, language }) {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
    const context = await browser.newContext({
      locale: language === "zh" ? "zh-CN" : "en-US",
      viewport: { width: 1280, height: 800 },
    });
    const world = new World();
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    Object.assign(world, { server, password, screenshots, language, browser, context, page, faults: [], complaints: [] });
    page.on("pageerror", (error) => world.faults.push(`error in the page: ${error.message}`));
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) world.faults.push(message.text());
      if (message.type() === "error") world.complaints.push(message.text());
    });
    return world;
  }

  /** The words of this language. */
  say(en, zh) {
    return this.language === "zh" ? zh : en;
  }

  async go(path) {
    await this.page.goto(this.server + path);
  }

  button(en, zh) {
    return this.page.getByRole("button", { name: this.say(en, zh), exact: true });
  }

  field(en, zh) {
    return this.page.getByLabel(this.say(en, zh), { exact: true });
  }

  heading(en, zh) {
    return this.page.getByRole("heading", { name: this.say(en, zh), exact: true });
  }

  menu(en, zh) {
    return this.page.getByRole("menuitem", { name: this.say(en, zh) });
  }

  /** Signs in on the page, as a person would. */
  async signIn(name, password) {
    await this.go("/signin");
    await this.field("User name", "用户名").fill(name);
    await this.field("Password", "密码").fill(password);
    await this.button("Sign in", "登录").click();
    await this.heading("Jobs", "任务").waitFor();
  }

  /** A new user, made by the administrator; the password is known here only. */
  async newUser() {
    const name = `user${process.pid}x${++users}${this.language}`;
    const password = "a-good-password";
    await this.asAdmin("POST", "/users", { name, password });
    return { name, password };
  }

  async asAdmin(method, path, body) {
    this.token ??= (await this.ask("POST", "/sessions", { user: "admin", password: this.password })).token;
    return this.ask(method, path, body, this.token);
  }

  async ask(method, path, body, token) {
    const answer = await fetch(`${this.server}/api/v3${path}`, {
      method,
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  async screenshot(name) {
    await this.page.screenshot({ path: join(this.screenshots, `${name}-${this.language}.png`) });
  }

  /** Serious and critical faults by axe-core's rules, in both themes. */
  async accessFaults() {
    const faults = [];
    for (const theme of ["light", "dark"]) {
      await this.page.emulateMedia({ colorScheme: theme });
      await this.page.locator(`html[data-theme="${theme}"]`).waitFor({ state: "attached" });
      // Colours change over a moment; what is judged is how they are then.
      await this.page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running" || one.effect?.getTiming().iterations === Infinity));
      await this.page.evaluate(axeSource);
      const found = await this.page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 5).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join("; ")}`);
      });
      faults.push(...found.map((one) => `${theme}: ${one}`));
    }
    await this.page.emulateMedia({ colorScheme: "light" });
    return faults;
  }

  check() {
    if (this.faults.length > 0) throw new Error(this.faults.join("\n"));
  }

  async visibleText() {
    return (await this.page.locator("body").innerText().catch(() => "")).slice(0, 2000);
  }

  async close() {
    await this.browser.close();
  }
}
