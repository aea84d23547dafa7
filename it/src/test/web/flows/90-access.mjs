// Every page and every tab of it by axe-core, in the light and in the dark; none is wider than a phone.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const open = ["/", "/signin", "/signup", "/help", "/nowhere"];

export default async function access(world) {
  const { page } = world;
  const { name, token } = await world.newUser();
  const { id } = await world.ask("POST", "/jobs", world.job("looked-at", "echo a line; echo ValueError: made up >&2; exit 1"), token);
  await world.jobIs(id, "FAILED");
  const found = [];
  const seen = new Set();
  const look = async (path) => {
    seen.add(new URL(page.url()).pathname);
    await judge(world, path, found);
    // The tabs of a page are pages too.
    const tabs = page.getByRole("main").getByRole("tab");
    for (let i = 1; i < (await tabs.count()); i++) {
      await tabs.nth(i).click();
      await world.settled();
      await judge(world, `${path}, ${await tabs.nth(i).innerText()}`, found);
    }
  };
  for (const path of open) {
    await world.go(path);
    await world.settled();
    await look(path);
  }
  await world.signedIn("admin", world.password);
  for (const path of ["/", "/jobs?scope=all", `/jobs/${name}/looked-at`, "/submit", "/images", "/cluster", "/account"]) {
    await world.go(path);
    await world.settled();
    await look(path);
  }
  await sections(world, look);
  for (const route of await routes()) {
    const fits = new RegExp(`^${route.replace("/*?", "(/.*)?").replace(/:\w+/g, "[^/]+")}/?$`);
    if (![...seen].some((path) => fits.test(path))) found.push(`no page of ${route} was looked at`);
  }
  if (found.length > 0) throw new Error(found.join("\n"));
}

/** Light is looked at in one language and dark in the other: colours know no language, and both have the same labels. */
async function judge(world, what, found) {
  const theme = world.say("light", "dark");
  found.push(...(await world.accessFaults(theme)).map((fault) => `${what}: ${fault}`));
  await world.page.setViewportSize({ width: 390, height: 800 });
  const wide = await world.tooWide();
  if (wide > 0) found.push(`${what} is ${wide} pixels wider than a phone`);
  await world.page.setViewportSize({ width: 1280, height: 800 });
}

/** The pages of the administration and of the help, by their own menus. */
async function sections(world, look) {
  for (const start of ["/admin", "/help"]) {
    await world.go(start);
    await world.settled();
    const links = await world.page.getByRole("main").locator(`a[href^="${start}/"]`).evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    if (links.length === 0) throw new Error(`${start} leads nowhere`);
    for (const path of new Set(links)) {
      await world.go(path);
      await world.settled();
      await look(path);
    }
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
