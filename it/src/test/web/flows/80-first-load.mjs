/** The first visit of the jobs, signed in, with nothing cached, transfers less than 400 KB. */
const MOST = 400 * 1024;

export default async function firstLoad(world) {
  const { page, context } = world;
  await context.request.post(`${world.server}/api/v3/sessions`, { data: { user: "admin", password: world.password } });
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await world.go("/jobs");
  await world.heading("Jobs", "任务").waitFor();
  await page.waitForLoadState("load");
  await page.waitForFunction(() => !document.querySelector(".ant-spin-spinning"));
  console.log(`        ${Math.round(bytes / 1024)} KB`);
  if (bytes > MOST) throw new Error(`the first visit transfers ${bytes} bytes`);
}
