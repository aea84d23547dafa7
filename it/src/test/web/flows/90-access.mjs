// Checks every page and tab with axe-core, in the light and in the dark theme. No page may be wider than the screen of a phone.
import { sourceFile } from "../checkout.mjs";

export const long = true;
const open = ["/", "/signin", "/signup", "/help", "/nowhere"];
const signedIn = ["/", "/jobs?scope=all", "/submit", "/images", "/cluster", "/account"];

export default async function access(fixture) {
  const job = await fixture.together(() => prepare(fixture));
  const tour = new Tour(fixture, fixture.localized("light", "dark"));
  await tour.visitAll(job);
  const { found, seen } = tour;
  for (const route of await routes()) {
    const fits = new RegExp(`^${route.replace("/*?", "(/.*)?").replace(/:\w+/g, "[^/]+")}/?$`);
    if (![...seen].some((path) => fits.test(path))) found.push(`no page of ${route} was checked`);
  }
  const checks = await fixture.together((all) => all, tour.checks);
  if (new Set(checks).size > 1) found.push(`the languages have different pages: ${checks}`);
  if (found.length > 0) throw new Error(found.join("\n"));
}

/** Creates a failed job and returns the path of its page. */
async function prepare(fixture) {
  const { name, token } = await fixture.newUser();
  const { id } = await fixture.request("POST", "/jobs", fixture.job("looked-at", "echo a line; echo ValueError: made up >&2; exit 1"), token);
  await fixture.waitForState(id, "FAILED");
  return `/jobs/${name}/looked-at`;
}

/**
 * Visits all pages in one language. The theme changes between light and dark after each group of pages; the other language uses
 * the opposite theme. Rules that do not depend on the theme are checked in only one of the languages for each page or tab, because
 * both languages have the same elements.
 */
class Tour {
  constructor(fixture, theme) {
    Object.assign(this, { fixture, theme, found: [], seen: new Set(), checks: 0 });
  }

  async visitAll(job) {
    const { fixture } = this;
    await fixture.go(open[0]);
    await this.checkGroup(open);
    await fixture.createSession("admin", fixture.password);
    await fixture.go(signedIn[0]);
    await this.checkGroup([...signedIn, job]);
    for (const start of ["/admin", "/help"]) {
      await fixture.follow(start);
      await this.checkGroup(await this.links(start));
    }
  }

  async checkGroup(paths) {
    for (const path of paths) await this.checkPage(path);
    this.theme = this.theme === "light" ? "dark" : "light";
  }

  async checkPage(path) {
    const { page } = this.fixture;
    await this.fixture.follow(path);
    this.seen.add(new URL(page.url()).pathname);
    await this.checkView(path);
    // Check each tab like a page.
    const tabs = page.getByRole("main").getByRole("tab");
    for (let i = 1; i < (await tabs.count()); i++) {
      await tabs.nth(i).click();
      await page.mouse.move(0, 0);
      await this.fixture.settled();
      await this.checkView(`${path}, ${await tabs.nth(i).innerText()}`);
    }
  }

  async checkView(what) {
    const { fixture } = this;
    const colours = (this.checks++ % 2 === 0) === (fixture.language === "en");
    this.found.push(...(await fixture.accessFaults(this.theme, { colours })).map((fault) => `${what}: ${fault}`));
    await fixture.page.setViewportSize({ width: 390, height: 800 });
    const wide = await fixture.tooWide();
    if (wide > 0) this.found.push(`${what} is ${wide} pixels wider than a phone`);
    await fixture.page.setViewportSize({ width: 1280, height: 800 });
  }

  /** Returns the links to the administration pages or to the help pages. */
  async links(start) {
    const menu = this.fixture.page.getByRole("main").locator(`a[href^="${start}/"]`);
    const links = await menu.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    if (links.length === 0) throw new Error(`${start} has no links`);
    return new Set(links);
  }
}

/** Returns the paths of all pages from the source of the application. */
async function routes() {
  const source = await sourceFile("web/src/app/routes.ts");
  return [...source.matchAll(/path: "([^"]+)"/g)].map(([, path]) => path);
}
