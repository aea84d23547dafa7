// node run.mjs SERVER ADMIN_PASSWORD SCREENSHOTS [FLOWS]: runs all flows in a real browser, in both languages, using only visible
// labels. SERVER is either the jar, which is started with the engine in ENGINE (process or docker), or the URL of a running
// server. The flows are the files in flows/, with Docker those in docker-flows/. The default export is a function of a
// BrowserFixture, or an object with a function for each of several independent flows. The languages of a flow run in parallel;
// fixture.together(…) waits for the other language. A file may also export
//   sequential = true       the languages run one after the other, because their changes would affect each other
//   ownServer = {capacity}  the flow has a separate server, with this capacity or the default capacity, and runs in parallel with
//                           the other flows
//   long = true             the flow is skipped if the variable FULL is "false"
//   needs = [...]           requirements on the host, see requirements.mjs
// Each flow in each language is one test case. With RESULTS=json the program also prints lines for WebFlows.java, see results.mjs.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { missing } from "./requirements.mjs";
import { networkFor } from "./network.mjs";
import { Provider } from "./provider.mjs";
import { BrowserFixture } from "./browser-fixture.mjs";
import { Meeting } from "./meeting.mjs";
import { Results } from "./results.mjs";
import { TestServer, freePort } from "./test-server.mjs";

const LANGUAGES = ["en", "zh"];
const [server, password, screenshots, only] = process.argv.slice(2);
const engine = process.env.ENGINE ?? "process";
const results = new Results();
const all = await flowsOf(new URL(engine === "docker" ? "docker-flows/" : "flows/", import.meta.url));
results.plan(all.flatMap((flow) => LANGUAGES.map((language) => ({ name: nameOf(flow, language), file: flow.file, leftOut: isLeftOut(flow) }))));

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
// Ports of the servers that are started for flows with ownServer.
const ownPorts = new Map();
for (const flow of all.filter(({ ownServer }) => ownServer)) ownPorts.set(flow, await freePort());
const addresses = [environment.server, environment.provider?.issuer].filter(Boolean);
const network = await networkFor([...addresses.map((address) => new URL(address).port), ...ownPorts.values()], directory);
environment.browser = await chromium.launch({
  executablePath: network.program,
  env: { ...process.env, ...network.environment, CHROMIUM: process.env.CHROMIUM ?? "/usr/bin/chromium" },
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

await network.ready;

const included = all.filter((flow) => !isLeftOut(flow));
const beside = Promise.all(included.filter(({ ownServer }) => ownServer).map((flow) => runFlow(flow)));
for (const flow of included.filter(({ ownServer }) => !ownServer)) await runFlow(flow);
await beside;
await environment.browser.close();
await environment.testServer?.stop();
await rm(directory, { recursive: true, force: true });
results.end();
process.exit(results.failed === 0 ? 0 : 1);

/** Returns the flows of a directory in the order of their names. */
async function flowsOf(place) {
  const files = (await readdir(place)).filter((name) => name.endsWith(".mjs") && (!only || new RegExp(only).test(name))).sort();
  const modules = await Promise.all(files.map(async (file) => ({ file, ...(await import(new URL(file, place))) })));
  return modules.flatMap(({ default: flows, ...options }) =>
    typeof flows === "function" ? [{ ...options, work: flows }] : Object.entries(flows).map(([part, work]) => ({ ...options, part, work })),
  );
}

function nameOf({ file, part }, language) {
  return [file.replace(/\.mjs$/, ""), part, language].filter(Boolean).join(" ");
}

function isLeftOut({ long }) {
  return Boolean(long) && process.env.FULL === "false";
}

async function runFlow(flow) {
  const lacking = missing(flow.needs, environment);
  if (lacking) {
    for (const language of LANGUAGES) results.lacks(nameOf(flow, language), lacking);
  } else if (flow.sequential) {
    for (const language of LANGUAGES) await inLanguages(flow, environment, [language]);
  } else if (flow.ownServer) {
    const where = await startOwnServer(flow).catch((error) => error);
    await inLanguages(flow, where, LANGUAGES);
    await where.testServer?.stop();
  } else {
    await inLanguages(flow, environment, LANGUAGES);
  }
}

async function startOwnServer(flow) {
  const port = ownPorts.get(flow);
  const there = join(directory, `own-server-${port}`);
  await mkdir(there);
  const { capacity } = flow.ownServer;
  const testServer = await TestServer.start({ jar: resolve(server), port, password, directory: there, engine, capacity, options: [] });
  started.push(testServer);
  return { ...environment, server: testServer.url, testServer, provider: null };
}

/**
 * Runs a flow in several languages in parallel. Shared objects, such as a job, remain until the flow has finished in all
 * languages.
 */
async function inLanguages(flow, where, languages) {
  const meeting = new Meeting(languages);
  const fixtures = await Promise.all(languages.map((language) => attempt(flow, where, language, meeting)));
  for (const fixture of fixtures) {
    await fixture?.close().catch((error) => console.log(`        leaving ${nameOf(flow, fixture.language)}: ${error.message}`));
  }
}

async function attempt(flow, where, language, meeting) {
  const name = nameOf(flow, language);
  const began = Date.now();
  let fixture;
  try {
    if (where instanceof Error) throw where;
    fixture = await BrowserFixture.open({ ...where, meeting }, language);
    await flow.work(fixture);
    fixture.check();
    results.passed(name, Date.now() - began);
  } catch (error) {
    const milliseconds = Date.now() - began;
    const shown = await fixture?.report(`failed-${name.replace(/ \w+$/, "").replaceAll(" ", "-")}`);
    results.fails(name, milliseconds, error, shown);
  }
  meeting.leave(language);
  return fixture;
}
