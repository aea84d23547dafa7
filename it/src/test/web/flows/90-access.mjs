/** Every page in both themes, by axe-core; and none is wider than a phone. */
const pages = [
  "/jobs", "/", "/submit", "/images", "/cluster", "/admin", "/account", "/account/password", "/account/ssh-keys",
  "/account/tokens", "/account/requests", "/help", "/help/job-file", "/nowhere",
];

export default async function access(world) {
  const { page } = world;
  const found = [];
  const look = async (path) => {
    await world.go(path);
    await settled(page);
    found.push(...(await world.accessFaults()).map((fault) => `${path}: ${fault}`));
  };
  for (const path of ["/", "/signin", "/signup", "/help/data"]) {
    await look(path);
  }
  await world.signIn("admin", world.password);
  for (const path of pages) {
    await look(path);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of pages) {
    await world.go(path);
    await settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.push(`${path} is ${wide} pixels wider than a phone`);
  }
  if (found.length > 0) throw new Error(found.join("\n"));
}

/** The page's parts have come, and nothing turns. */
async function settled(page) {
  await page.getByRole("main").locator("h1, .ant-result").first().waitFor();
  await page.waitForFunction(() => !document.querySelector(".ant-skeleton, .ant-spin-spinning"));
}
