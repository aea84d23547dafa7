import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Rules whose result depends on the theme. */
const COLOURS = ["color-contrast", "link-in-text-block"];
/** Rules that never report serious violations; they are disabled because some of them are slow. */
const LESSER = Object.fromEntries(
  ["region", "landmark-unique", "landmark-one-main", "heading-order", "page-has-heading-one", "presentation-role-conflict", "aria-allowed-role", "empty-heading", "empty-table-header", "skip-link"].map((rule) => [rule, { enabled: false }]),
);
const MOVING = ".ant-zoom-appear, .ant-zoom-enter";
const tokens = new Map();
let users = 0;

/** A browser in one language, with helpers that prepare data as an administrator. */
export class BrowserFixture {
  static async open(environment, language) {
    const fixture = new BrowserFixture();
    Object.assign(fixture, environment, { language, faults: [], complaints: [], users: [], clicks: 0, contexts: [] });
    fixture.page = await fixture.newVisitor();
    fixture.context = fixture.page.context();
    return fixture;
  }

  /**
   * Waits until the flow in the other language also reaches this step. Then runs the action once with the values of both
   * languages and returns its result to both. Does not wait for a language that has already failed.
   */
  together(action, value) {
    return this.meeting.arrive(this.language, action, value);
  }

  /** Opens a page in a new browser context, with its own cookies and session. */
  async newVisitor() {
    const context = await this.browser.newContext({
      locale: this.language === "zh" ? "zh-CN" : "en-US",
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
    });
    this.contexts.push(context);
    context.setDefaultTimeout(30_000);
    context.on("page", (page) => this.watch(page));
    return context.newPage();
  }

  /** Records errors, dialogs and Content-Security-Policy violations of a page; any of these makes the flow fail. */
  watch(page) {
    // Waits for the animation of a dialog, because a click during the animation would miss the button.
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

  /** Returns the text in the language of this fixture. */
  localized(en, zh) {
    return this.language === "zh" ? zh : en;
  }

  async go(path) {
    await this.page.goto(this.server + path);
  }

  button(en, zh, within = this.page) {
    return within.getByRole("button", { name: this.localized(en, zh), exact: true });
  }

  link(en, zh, within = this.page) {
    return within.getByRole("link", { name: this.localized(en, zh), exact: true });
  }

  field(en, zh, within = this.page) {
    return within.getByLabel(this.localized(en, zh), { exact: true });
  }

  heading(en, zh, within = this.page) {
    return within.getByRole("heading", { name: this.localized(en, zh), exact: true });
  }

  menu(en, zh, within = this.page) {
    return within.getByRole("menuitem", { name: this.localized(en, zh) });
  }

  tab(en, zh, within = this.page) {
    return within.getByRole("tab", { name: this.localized(en, zh), exact: true });
  }

  text(en, zh, within = this.page) {
    return within.getByText(this.localized(en, zh)).locator("visible=true").first();
  }

  dialog(within = this.page) {
    return within.getByRole("dialog");
  }

  /** The table row that contains a text. */
  row(text, within = this.page) {
    return within.getByRole("row").filter({ hasText: text });
  }

  /** The state of a job in the list. */
  state(name, en, zh) {
    return this.row(name).getByText(this.localized(en, zh), { exact: true });
  }

  /** Starts counting the mouse clicks in all pages. */
  async countClicks() {
    await this.context.exposeBinding("countPress", () => void this.clicks++);
    await this.context.addInitScript(() => addEventListener("pointerdown", (event) => event.isTrusted && window.countPress(), true));
  }

  /** Signs in with the form on the page. */
  async signIn(name, password, page = this.page) {
    await page.goto(`${this.server}/signin`);
    await this.field("User name", "用户名", page).fill(name);
    await this.field("Password", "密码", page).fill(password);
    await this.button("Sign in", "登录", page).click();
    await this.heading("Jobs", "任务", page).waitFor();
  }

  /** Creates a session without the sign-in form, for flows that do not test it. */
  async createSession(name, password, page = this.page) {
    const answer = await page.context().request.post(`${this.server}/api/v3/sessions`, { data: { user: name, password } });
    if (!answer.ok()) throw new Error(`${name} cannot sign in: ${await answer.text()}`);
  }

  /**
   * Creates a user and a token for API requests. Uses the given name only on a server that this test has started, because other
   * servers may already have a user with this name.
   */
  async newUser(called) {
    const name = this.testServer && called ? called : `user${process.pid}x${++users}${this.language}`;
    const password = "a-good-password";
    await this.requestAsAdmin("POST", "/users", { name, password });
    this.users.push(name);
    const { token } = await this.request("POST", "/sessions", { user: name, password });
    return { name, password, token };
  }

  /** Returns a unique name. */
  unique(stem) {
    return `${stem}-${this.language}-${process.pid}-${++users}`;
  }

  async requestAsAdmin(method, path, body) {
    if (!tokens.has(this.server)) {
      tokens.set(this.server, this.request("POST", "/sessions", { user: "admin", password: this.password }).then(({ token }) => token));
    }
    return this.request(method, path, body, await tokens.get(this.server));
  }

  async request(method, path, body, token) {
    const answer = await fetch(`${this.server}/api/v3${path}`, {
      method,
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  /** Returns a v1 job file with one task. */
  job(jobName, command, more = {}) {
    const { role = {}, ...rest } = more;
    return {
      jobName,
      image: "trainyard-test/busybox",
      ...rest,
      taskRoles: [{ name: "main", taskNumber: 1, cpuNumber: 1, memoryMB: 256, gpuNumber: 0, command, ...role }],
    };
  }

  /** Waits until the job is in one of these states. */
  async waitForState(id, ...states) {
    for (const end = Date.now() + 60_000; ; ) {
      const job = await this.requestAsAdmin("GET", `/jobs/${id}`);
      if (states.includes(job.state)) return job;
      if (Date.now() > end) throw new Error(`${id} is ${job.state}, not ${states}: ${JSON.stringify(job).slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Saves a screenshot and returns its path. */
  async screenshot(name, page = this.page) {
    const path = join(this.screenshots, `${name}-${this.language}.png`);
    await page.screenshot({ path });
    return path;
  }

  /** Navigates within the application, without reloading it. */
  async follow(path, page = this.page) {
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await this.settled(page);
  }

  /** Waits until the page has rendered and shows no loading indicator. */
  async settled(page = this.page) {
    await page.waitForFunction(() => {
      const main = document.querySelector("main");
      return main?.querySelector("h1, .ant-result") && !document.querySelector(".ant-skeleton, .ant-spin-spinning") && !main.querySelector(".ant-spin");
    });
  }

  /** Returns by how many pixels the page is wider than its window, after the layout has settled. */
  async tooWide(page = this.page) {
    const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
    const [fit] = await Promise.allSettled([page.waitForFunction(fits, undefined, { timeout: 5_000 })]);
    if (fit.status === "fulfilled") return 0;
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /**
   * Returns the serious and critical violations of axe-core's rules in a theme, for the page or a part of the page. With
   * `colours`, checks only the rules that depend on the theme.
   */
  async accessFaults(theme, { page = this.page, within = page.locator("html"), colours = false } = {}) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: "attached" });
    // Waits for transitions of colors and dialogs to end.
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
      // Ignores option lists that are not focusable: users navigate them with the keys of their field, which names the active
      // option.
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

  /** Returns the text that the page shows after a failure, and the path of a screenshot if it could be taken. */
  async report(name) {
    const screenshot = await this.screenshot(name).catch(() => undefined);
    const text = await this.page.locator("body").innerText({ timeout: 2000 }).catch(() => "");
    return { screenshot, text: `at ${this.page.url()}\n${this.complaints.slice(-5).join("\n")}\n${text.slice(0, 2000)}` };
  }

  /** Closes the browser contexts and stops the jobs of the flow, so that they do not affect the next flow. */
  async close() {
    for (const context of this.contexts) await context.close();
    for (const user of this.users) {
      const { jobs } = await this.requestAsAdmin("GET", `/jobs?user=${user}&state=WAITING,PREPARING,RUNNING,PAUSED`);
      if (jobs.length > 0) await this.requestAsAdmin("POST", "/jobs/batch", { action: "stop", jobs: jobs.map(({ id }) => id), graceSeconds: 0 });
    }
  }
}
