// node run.mjs SERVER ADMIN_PASSWORD SCREENSHOTS [FLOWS]: drives the page in a real browser through every flow, in both languages,
// by what a person sees. SERVER is the jar, of which a server is started with the engine that ENGINE names (process or docker),
// or the address of a server that runs. Flows are the files of flows/, with Docker those of docker-flows/. A flow is a
// function of a World; beside it a file may export
//   inTurn = true      the languages one after another, where what one changes would be in the way of the other
//   together = true    it takes the worlds of both languages, as { en, zh }
//   apart = true       with a server of its own, beside the other flows
//   long = true        left out if the variable FULL is "false"
//   needs = [...]      what the machine must have, see needs.mjs
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { missing } from "./needs.mjs";
import { networkFor } from "./network.mjs";
import { Provider } from "./provider.mjs";
import { World } from "./world.mjs";
import { Yard, freePort } from "./yard.mjs";

const [server, password, screenshots, only] = process.argv.slice(2);
const engine = process.env.ENGINE ?? "process";
const directory = await mkdtemp(join(tmpdir(), "web-"));
const place = { password, screenshots, engine, directory, yard: null, provider: null };
const started = [];
process.on("exit", () => started.forEach((one) => one.process.kill()));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(1));
await mkdir(screenshots, { recursive: true });
if (/^https?:/.test(server)) {
  place.server = server;
} else {
  const port = await freePort();
  place.server = `http://127.0.0.1:${port}`;
  place.provider = engine === "process" ? await Provider.start(place.server, directory) : null;
  const options = place.provider?.options(place.server) ?? [];
  place.yard = await Yard.start({ jar: resolve(server), port, password, directory, engine, options });
}
started.push(...[place.yard, place.provider].filter(Boolean));
// Of a server that is started when a flow needs it.
const otherPort = await freePort();
const addresses = [place.server, place.provider?.issuer, `http://127.0.0.1:${otherPort}`].filter(Boolean);
const network = await networkFor(addresses.map((address) => new URL(address).port), directory);
place.browser = await chromium.launch({
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
const beside = Promise.all(all.filter(({ apart }) => apart).map((flow) => runFile(flow)));
for (const flow of all.filter(({ apart }) => !apart)) await runFile(flow);
await beside;
await place.browser.close();
await place.yard?.stop();
await rm(directory, { recursive: true, force: true });
console.log(failed === 0 ? "all went well" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runFile({ file, default: flow, inTurn, together, apart, needs }) {
  const lacking = missing(needs, place);
  if (lacking?.required) {
    failed++;
    console.log(`FAILED  ${file}: no ${lacking.what}`);
  } else if (lacking) {
    console.log(`skipped ${file}: no ${lacking.what}`);
  } else if (together) {
    const where = apart ? await placeApart() : place;
    const worlds = { en: await World.open(where, "en"), zh: await World.open(where, "zh") };
    await attempt(file, Object.values(worlds), () => flow(worlds));
    if (apart) await where.yard.stop();
  } else if (inTurn) {
    for (const language of ["en", "zh"]) await alone(file, flow, language);
  } else {
    await Promise.all(["en", "zh"].map((language) => alone(file, flow, language)));
  }
}

async function placeApart() {
  const there = join(directory, "apart");
  await mkdir(there);
  const yard = await Yard.start({ jar: resolve(server), port: otherPort, password, directory: there, engine, options: [] });
  started.push(yard);
  return { ...place, server: yard.url, yard, provider: null };
}

async function alone(file, flow, language) {
  const world = await World.open(place, language);
  await attempt(file, [world], () => flow(world));
}

async function attempt(file, worlds, work) {
  const name = `${file} ${worlds.map(({ language }) => language).join("+")}`;
  const began = Date.now();
  try {
    await work();
    worlds.forEach((world) => world.check());
    console.log(`ok      ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name} (${Date.now() - began} ms): ${error.stack}`);
    for (const world of worlds) await world.tell(`failed-${file}`);
  }
  for (const world of worlds) {
    await world.close().catch((error) => console.log(`        leaving ${name}: ${error.message}`));
  }
}
