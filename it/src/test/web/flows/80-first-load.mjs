/** When a signed-in user with an empty cache first opens the list of jobs, less than 400 KB are transferred. */
const MOST = 400 * 1024;

export default async function firstLoad(fixture) {
  const { page, context } = fixture;
  await context.request.post(`${fixture.server}/api/v3/sessions`, { data: { user: "admin", password: fixture.password } });
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await fixture.go("/jobs");
  await fixture.heading("Jobs", "任务").waitFor();
  await page.waitForLoadState("load");
  await page.waitForFunction(() => !document.querySelector(".ant-spin-spinning"));
  console.log(`        ${Math.round(bytes / 1024)} KB`);
  if (bytes > MOST) throw new Error(`the first visit transfers ${bytes} bytes`);
}
