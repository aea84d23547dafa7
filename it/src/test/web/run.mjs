// node run.mjs SERVER ADMIN_PASSWORD SCREENSHOTS [FLOWS]: runs all flows in a real browser, in both languages, using only visible
// labels. SERVER is either the jar, which is started with the engine in ENGINE (process or docker), or the URL of a running
// server. The flows are the files in flows/, with Docker those in docker-flows/. The default export of a flow is a function of
// a BrowserFixture; a flow may also export
//   sequential = true       the languages run one after the other, because their changes would affect each other
//   bothLanguages = true    the flow takes the fixtures of both languages, as { en, zh }
//   ownServer = true        the flow has a server of its own and runs in parallel with the other flows
//   long = true             the flow is skipped if the variable FULL is "false"
//   needs = [...]           requirements on the host, see requirements.mjs
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { missing } from "./requirements.mjs";
import { networkFor } from "./network.mjs";
import { Provider } from "./provider.mjs";
import { BrowserFixture } from "./browser-fixture.mjs";
import { TestServer, freePort } from "./test-server.mjs";

const [server, password, screenshots, only] = process.argv.slice(2);
const engine = process.env.ENGINE ?? "process";
const directory = await mkdtemp(join(tmpdir(), "web-"));
const environment = { password, screenshots, engine, directory, testServer: null, provider: null };
const started = [];
process.on("exit", () => started.forEach((one) => one.process.kill()));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(1));
await mkdir(screenshots, { recursive: true });
if (/^https?:/.test(server)) {
  environment.server = server;
} else {
  const port = await freePort();
  environment.server = `http://127.0.0.1:${port}`;
  environment.provider = engine === "process" ? await Provider.start(environment.server, directory) : null;
  const options = environment.provider?.options(environment.server) ?? [];
  environment.testServer = await TestServer.start({ jar: resolve(server), port, password, directory, engine, options });
}
started.push(...[environment.testServer, environment.provider].filter(Boolean));
// Port of the server that is started for flows with ownServer.
const otherPort = await freePort();
const addresses = [environment.server, environment.provider?.issuer, `http://127.0.0.1:${otherPort}`].filter(Boolean);
const network = await networkFor(addresses.map((address) => new URL(address).port), directory);
environment.browser = await chromium.launch({
  executablePath: network.program,
  env: { ...process.env, ...network.environment, CHROMIUM: process.env.CHROMIUM ?? "/usr/bin/chromium" },
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

await network.ready;

let failed = 0;
const flows = new URL(engine === "docker" ? "docker-flows/" : "flows/", import.meta.url);
const chosen = (await readdir(flows)).filter((name) => name.endsWith(".mjs") && (!only || new RegExp(only).test(name))).sort();
const imported = await Promise.all(chosen.map(async (file) => ({ file, ...(await import(new URL(file, flows))) })));
const all = imported.filter(({ long }) => !long || process.env.FULL !== "false");
const beside = Promise.all(all.filter(({ ownServer }) => ownServer).map((flow) => runFile(flow)));
for (const flow of all.filter(({ ownServer }) => !ownServer)) await runFile(flow);
await beside;
await environment.browser.close();
await environment.testServer?.stop();
await rm(directory, { recursive: true, force: true });
console.log(failed === 0 ? "all went well" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runFile({ file, default: flow, sequential, bothLanguages, ownServer, needs }) {
  const lacking = missing(needs, environment);
  if (lacking?.required) {
    failed++;
    console.log(`FAILED  ${file}: no ${lacking.what}`);
  } else if (lacking) {
    console.log(`skipped ${file}: no ${lacking.what}`);
  } else if (bothLanguages) {
    const where = ownServer ? await startOwnServer() : environment;
    const fixtures = { en: await BrowserFixture.open(where, "en"), zh: await BrowserFixture.open(where, "zh") };
    await attempt(file, Object.values(fixtures), () => flow(fixtures));
    if (ownServer) await where.testServer.stop();
  } else if (sequential) {
    for (const language of ["en", "zh"]) await alone(file, flow, language);
  } else {
    await Promise.all(["en", "zh"].map((language) => alone(file, flow, language)));
  }
}

async function startOwnServer() {
  const there = join(directory, "own-server");
  await mkdir(there);
  const testServer = await TestServer.start({ jar: resolve(server), port: otherPort, password, directory: there, engine, options: [] });
  started.push(testServer);
  return { ...environment, server: testServer.url, testServer, provider: null };
}

async function alone(file, flow, language) {
  const fixture = await BrowserFixture.open(environment, language);
  await attempt(file, [fixture], () => flow(fixture));
}

async function attempt(file, fixtures, work) {
  const name = `${file} ${fixtures.map(({ language }) => language).join("+")}`;
  const began = Date.now();
  try {
    await work();
    fixtures.forEach((fixture) => fixture.check());
    console.log(`ok      ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name} (${Date.now() - began} ms): ${error.stack}`);
    for (const fixture of fixtures) await fixture.report(`failed-${file}`);
  }
  for (const fixture of fixtures) {
    await fixture.close().catch((error) => console.log(`        leaving ${name}: ${error.message}`));
  }
}
