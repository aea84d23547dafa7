// Every page and every tab of it by axe-core, in the light and in the dark; none is wider than a phone.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const long = true;
export const together = true;
const open = ["/", "/signin", "/signup", "/help", "/nowhere"];
const signedIn = ["/", "/jobs?scope=all", "/submit", "/images", "/cluster", "/account"];

export default async function access({ en, zh }) {
  const { name, token } = await en.newUser();
  const { id } = await en.ask("POST", "/jobs", en.job("looked-at", "echo a line; echo ValueError: made up >&2; exit 1"), token);
  await en.jobIs(id, "FAILED");
  const tours = [new Tour(en, "light"), new Tour(zh, "dark")];
  await Promise.all(tours.map((tour) => tour.make(`/jobs/${name}/looked-at`)));
  const found = tours.flatMap((tour) => tour.found);
  for (const route of await routes()) {
    const fits = new RegExp(`^${route.replace("/*?", "(/.*)?").replace(/:\w+/g, "[^/]+")}/?$`);
    if (!tours.every(({ seen }) => [...seen].some((path) => fits.test(path)))) found.push(`no page of ${route} was looked at`);
  }
  if (tours[0].looks !== tours[1].looks) found.push(`the languages have not the same pages: ${tours.map(({ looks }) => looks)}`);
  if (found.length > 0) throw new Error(found.join("\n"));
}

/**
 * Through all pages in one language, by turns in the light and in the dark; the other language goes the same way in the other
 * theme. What a theme can't change is judged once, by turns in either language: both have the same elements.
 */
class Tour {
  constructor(world, theme) {
    Object.assign(this, { world, theme, found: [], seen: new Set(), looks: 0 });
  }

  async make(job) {
    const { world } = this;
    await world.go(open[0]);
    await this.lookAll(open);
    await world.signedIn("admin", world.password);
    await world.go(signedIn[0]);
    await this.lookAll([...signedIn, job]);
    for (const start of ["/admin", "/help"]) {
      await world.follow(start);
      await this.lookAll(await this.links(start));
    }
  }

  async lookAll(paths) {
    for (const path of paths) await this.look(path);
    this.theme = this.theme === "light" ? "dark" : "light";
  }

  async look(path) {
    const { page } = this.world;
    await this.world.follow(path);
    this.seen.add(new URL(page.url()).pathname);
    await this.judge(path);
    // The tabs of a page are pages too.
    const tabs = page.getByRole("main").getByRole("tab");
    for (let i = 1; i < (await tabs.count()); i++) {
      await tabs.nth(i).click();
      await page.mouse.move(0, 0);
      await this.world.settled();
      await this.judge(`${path}, ${await tabs.nth(i).innerText()}`);
    }
  }

  async judge(what) {
    const { world } = this;
    const colours = (this.looks++ % 2 === 0) === (world.language === "en");
    this.found.push(...(await world.accessFaults(this.theme, { colours })).map((fault) => `${what}: ${fault}`));
    await world.page.setViewportSize({ width: 390, height: 800 });
    const wide = await world.tooWide();
    if (wide > 0) this.found.push(`${what} is ${wide} pixels wider than a phone`);
    await world.page.setViewportSize({ width: 1280, height: 800 });
  }

  /** The pages of the administration and of the help, by their own menus. */
  async links(start) {
    const menu = this.world.page.getByRole("main").locator(`a[href^="${start}/"]`);
    const links = await menu.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    if (links.length === 0) throw new Error(`${start} leads nowhere`);
    return new Set(links);
  }
}

/** The addresses of all pages, as the application itself has them. */
async function routes() {
  const here = dirname(fileURLToPath(import.meta.url));
  let at = process.env.CHECKOUT ?? here;
  while (!existsSync(join(at, "web/src/app/routes.ts"))) {
    if (at === dirname(at)) throw new Error("CHECKOUT must say where the sources are");
    at = dirname(at);
  }
  const source = await readFile(join(at, "web/src/app/routes.ts"), "utf8");
  return [...source.matchAll(/path: "([^"]+)"/g)].map(([, path]) => path);
}
