import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The rules whose verdict a theme can change. */
const COLOURS = ["color-contrast", "link-in-text-block"];
/** Rules that find nothing serious are not asked: some of them take long. */
const LESSER = Object.fromEntries(
  ["region", "landmark-unique", "landmark-one-main", "heading-order", "page-has-heading-one", "presentation-role-conflict", "aria-allowed-role", "empty-heading", "empty-table-header", "skip-link"].map((rule) => [rule, { enabled: false }]),
);
const MOVING = ".ant-zoom-appear, .ant-zoom-enter";
const tokens = new Map();
let users = 0;

/** A visitor's browser in front of the server, in one language, and an administrator's hand for what is needed before. */
export class World {
  static async open(place, language) {
    const world = new World();
    Object.assign(world, place, { language, faults: [], complaints: [], users: [], clicks: 0, contexts: [] });
    world.page = await world.newVisitor();
    world.context = world.page.context();
    return world;
  }

  /** A page of somebody with a browser of their own: other cookies, another session. */
  async newVisitor() {
    const context = await this.browser.newContext({
      locale: this.language === "zh" ? "zh-CN" : "en-US",
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
    });
    this.contexts.push(context);
    context.setDefaultTimeout(30_000);
    context.on("page", (page) => this.attend(page));
    return context.newPage();
  }

  /** No page may fail, run what others wrote, or have to be stopped from it. */
  attend(page) {
    // Dialogs grow out of the place of the click: before they stand, a button pressed here is released elsewhere.
    page.addLocatorHandler(page.locator(MOVING).first(), () => {}).catch(() => {});
    page.on("pageerror", (error) => this.faults.push(`error in the page: ${error.message}`));
    page.on("dialog", (dialog) => {
      if (dialog.type() !== "beforeunload") this.faults.push(`a dialog: ${dialog.message()}`);
      dialog.accept().catch(() => {});
    });
    page.on("console", (message) => {
      const ours = message.location().url.startsWith(this.server);
      if (ours && /Content Security Policy/.test(message.text())) this.faults.push(message.text());
      if (message.type() === "error") this.complaints.push(message.text());
    });
  }

  /** The words of this language. */
  say(en, zh) {
    return this.language === "zh" ? zh : en;
  }

  async go(path) {
    await this.page.goto(this.server + path);
  }

  button(en, zh, within = this.page) {
    return within.getByRole("button", { name: this.say(en, zh), exact: true });
  }

  link(en, zh, within = this.page) {
    return within.getByRole("link", { name: this.say(en, zh), exact: true });
  }

  field(en, zh, within = this.page) {
    return within.getByLabel(this.say(en, zh), { exact: true });
  }

  heading(en, zh, within = this.page) {
    return within.getByRole("heading", { name: this.say(en, zh), exact: true });
  }

  menu(en, zh, within = this.page) {
    return within.getByRole("menuitem", { name: this.say(en, zh) });
  }

  tab(en, zh, within = this.page) {
    return within.getByRole("tab", { name: this.say(en, zh), exact: true });
  }

  text(en, zh, within = this.page) {
    return within.getByText(this.say(en, zh)).locator("visible=true").first();
  }

  dialog(within = this.page) {
    return within.getByRole("dialog");
  }

  /** The row of a table in which something stands. */
  row(text, within = this.page) {
    return within.getByRole("row").filter({ hasText: text });
  }

  /** The state of a job in the list. */
  state(name, en, zh) {
    return this.row(name).getByText(this.say(en, zh), { exact: true });
  }

  /** From now on every press of the mouse in any page is counted, whoever makes it. */
  async countClicks() {
    await this.context.exposeBinding("countPress", () => void this.clicks++);
    await this.context.addInitScript(() => addEventListener("pointerdown", (event) => event.isTrusted && window.countPress(), true));
  }

  /** Signs in on the page, as a person would. */
  async signIn(name, password, page = this.page) {
    await page.goto(`${this.server}/signin`);
    await this.field("User name", "用户名", page).fill(name);
    await this.field("Password", "密码", page).fill(password);
    await this.button("Sign in", "登录", page).click();
    await this.heading("Jobs", "任务", page).waitFor();
  }

  /** A session without the form, for flows that are not about it. */
  async signedIn(name, password, page = this.page) {
    const answer = await page.context().request.post(`${this.server}/api/v3/sessions`, { data: { user: name, password } });
    if (!answer.ok()) throw new Error(`${name} can't sign in: ${await answer.text()}`);
  }

  /** A new user, made by the administrator, and a token for what is not clicked; called so where nobody else can be. */
  async newUser(called) {
    const name = this.yard && called ? called : `user${process.pid}x${++users}${this.language}`;
    const password = "a-good-password";
    await this.asAdmin("POST", "/users", { name, password });
    this.users.push(name);
    const { token } = await this.ask("POST", "/sessions", { user: name, password });
    return { name, password, token };
  }

  /** A name that nothing else has. */
  unique(stem) {
    return `${stem}-${this.language}-${process.pid}-${++users}`;
  }

  async asAdmin(method, path, body) {
    if (!tokens.has(this.server)) {
      tokens.set(this.server, this.ask("POST", "/sessions", { user: "admin", password: this.password }).then(({ token }) => token));
    }
    return this.ask(method, path, body, await tokens.get(this.server));
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

  /** The file of a job of one task, as the seeds' users write it. */
  job(jobName, command, more = {}) {
    const { role = {}, ...rest } = more;
    return {
      jobName,
      image: "trainyard-test/busybox",
      ...rest,
      taskRoles: [{ name: "main", taskNumber: 1, cpuNumber: 1, memoryMB: 256, gpuNumber: 0, command, ...role }],
    };
  }

  /** Until it is in one of these states, by asking the server. */
  async jobIs(id, ...states) {
    for (const end = Date.now() + 60_000; ; ) {
      const job = await this.asAdmin("GET", `/jobs/${id}`);
      if (states.includes(job.state)) return job;
      if (Date.now() > end) throw new Error(`${id} is ${job.state}, not ${states}: ${JSON.stringify(job).slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async screenshot(name, page = this.page) {
    await page.screenshot({ path: join(this.screenshots, `${name}-${this.language}.png`) });
  }

  /** Another page, as a link within the application leads there: nothing is loaded anew. */
  async follow(path, page = this.page) {
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await this.settled(page);
  }

  /** The page's parts have come, and nothing turns or will soon. */
  async settled(page = this.page) {
    await page.waitForFunction(() => {
      const main = document.querySelector("main");
      return main?.querySelector("h1, .ant-result") && !document.querySelector(".ant-skeleton, .ant-spin-spinning") && !main.querySelector(".ant-spin");
    });
  }

  /** By how many pixels the page stays wider than its window, once it has got used to it. */
  async tooWide(page = this.page) {
    const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
    const [fit] = await Promise.allSettled([page.waitForFunction(fits, undefined, { timeout: 5_000 })]);
    if (fit.status === "fulfilled") return 0;
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /**
   * Serious and critical faults by axe-core's rules, in a theme: of the page or of a part of it, by all rules or by those that
   * depend on the theme.
   */
  async accessFaults(theme, { page = this.page, within = page.locator("html"), colours = false } = {}) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: "attached" });
    // What is judged is how it stays: colours change over a moment, dialogs come in.
    await page.waitForFunction((part) => {
      const moves = ({ playState, effect }) => {
        const target = effect?.target ?? part;
        return playState === "running" && effect?.getTiming().iterations !== Infinity && (part.contains(target) || target.contains(part));
      };
      return !part.closest('[class*="-appear"], [class*="-enter"]') && !document.getAnimations().some(moves);
    }, await within.elementHandle());
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
    const found = await within.evaluate(async (part, rules) => {
      const { violations } = await window.axe.run(part, { resultTypes: ["violations"], ...rules });
      // A list of choices is gone through by the keys of its field, which names the one that is meant.
      const byItsField = (id, node) => id === "scrollable-region-focusable" && node.html.includes("rc-virtual-list-holder");
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map((fault) => ({ ...fault, nodes: fault.nodes.filter((node) => !byItsField(fault.id, node)) }))
        .filter(({ nodes }) => nodes.length > 0)
        .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 5).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join("; ")}`);
    }, colours ? { runOnly: COLOURS } : { rules: LESSER });
    return found.map((one) => `${theme}: ${one}`);
  }

  check() {
    if (this.faults.length > 0) throw new Error(this.faults.join("\n"));
  }

  /** What there was to see when something failed. */
  async tell(name) {
    await this.screenshot(name).catch(() => {});
    const text = await this.page.locator("body").innerText({ timeout: 2000 }).catch(() => "");
    console.log(`at ${this.page.url()}\n${this.complaints.slice(-5).join("\n")}\n${text.slice(0, 2000)}`);
  }

  /** What a flow has left must not stand in the way of the next. */
  async close() {
    for (const context of this.contexts) await context.close();
    for (const user of this.users) {
      const { jobs } = await this.asAdmin("GET", `/jobs?user=${user}&state=WAITING,PREPARING,RUNNING,PAUSED`);
      if (jobs.length > 0) await this.asAdmin("POST", "/jobs/batch", { action: "stop", jobs: jobs.map(({ id }) => id), graceSeconds: 0 });
    }
  }
}
