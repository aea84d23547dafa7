import assert from "node:assert/strict";
import { test } from "node:test";
import { lastLines } from "../src/job/log/last-lines";
import { LogServer, streamOf } from "./log-server";

const { address } = streamOf("stderr");
const bar = Array.from({ length: 1_000 }, (_, i) => `\rstep ${i} of 1000`).join("");

test("lastLines_longLog_startsWithAWholeLine", async () => {
  new LogServer().append("stderr", Array.from({ length: 1_000 }, (_, i) => `line number ${i}\n`).join(""));
  assert.deepEqual(await lastLines(address), Array.from({ length: 12 }, (_, i) => `line number ${988 + i}`));
});

test("lastLines_longProgressBar_isItsCurrentState", async () => {
  const server = new LogServer();
  server.append("stderr", "loading\n" + bar);
  assert.deepEqual(await lastLines(address), ["step 999 of 1000"]);
  server.append("stderr", "\n");
  assert.deepEqual(await lastLines(address), ["step 999 of 1000"]);
  server.append("stderr", "saved\n");
  assert.deepEqual(await lastLines(address), ["saved"]);
});

test("lastLines_shortLog_isComplete", async () => {
  const server = new LogServer();
  assert.deepEqual(await lastLines(address), []);
  server.append("stderr", "first\nhal");
  assert.deepEqual(await lastLines(address), ["first", "hal"]);
});
