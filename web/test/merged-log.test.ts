import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../src/job/log/line-text";
import { MergedLog } from "../src/job/log/merged-log";
import { LogServer, streamOf } from "./log-server";

const shown = (log: MergedLog) =>
  Array.from({ length: log.count() }, (_, i) => `${log.line(i)!.from}: ${log.line(i)!.text}`);

test("look_existingLines_areListedStreamByStream", async () => {
  const server = new LogServer();
  server.append("stdout", "one\ntwo\n");
  server.append("stderr", "three\n");
  const log = new MergedLog([streamOf("stdout"), streamOf("stderr")]);
  assert.equal(await log.poll(), true);
  assert.deepEqual(shown(log), ["stdout: one", "stdout: two", "stderr: three"]);
  assert.equal(log.line(0)?.error, false);
  assert.equal(log.line(2)?.error, true);
  assert.equal(log.shortened, false);
});

test("look_newLines_areAppendedAsTheyArrive", async () => {
  const server = new LogServer();
  const log = new MergedLog([streamOf("stdout"), streamOf("stderr")]);
  assert.equal(await log.poll(), false);
  server.append("stderr", "first\n");
  await log.poll();
  server.append("stdout", "second\n");
  await log.poll();
  assert.deepEqual(shown(log), ["stderr: first", "stdout: second"]);
  assert.equal(log.line(1)?.offset, 0);
});

test("look_unfinishedLine_isShownAndReplacedWhenItEnds", async () => {
  const server = new LogServer();
  server.append("stdout", "whole\nhal");
  const log = new MergedLog([streamOf("stdout")]);
  await log.poll();
  assert.deepEqual(shown(log), ["stdout: whole", "stdout: hal"]);
  server.append("stdout", "f 半\n");
  await log.poll();
  assert.deepEqual(shown(log), ["stdout: whole", "stdout: half 半"]);
  assert.equal(log.line(1)?.offset, 6);
});

test("look_progressBar_isShownWithItsLastStateAndBoundedMemory", async () => {
  const server = new LogServer();
  const log = new MergedLog([streamOf("stdout"), streamOf("stderr")]);
  for (let i = 0; i < 3_000; i++) {
    server.append("stderr", `\rstep ${i} ${"#".repeat(60)}`);
    if (i % 100 === 0) await log.poll();
  }
  while (await log.poll());
  assert.equal(log.count(), 1);
  assert.match(plain(log.line(0)!.text), /^step 2999 /);
  assert.ok(log.line(0)!.text.length < 20_000);
  server.append("stderr", "\rdone\nnext\n");
  await log.poll();
  assert.deepEqual([plain(log.line(0)!.text), log.line(1)!.text], ["done", "next"]);
  assert.equal(log.line(0)!.offset, 0);
});

test("readOut_unfinishedLine_isShown", async () => {
  const server = new LogServer();
  server.append("stdout", "whole\nhalf");
  const log = new MergedLog([streamOf("stdout")]);
  await log.readToEnd();
  assert.deepEqual(shown(log), ["stdout: whole", "stdout: half"]);
});

test("look_twoAtOnce_readNothingTwice", async () => {
  const server = new LogServer();
  server.append("stdout", "one\n");
  const log = new MergedLog([streamOf("stdout")]);
  await Promise.all([log.poll(), log.poll()]);
  assert.deepEqual(shown(log), ["stdout: one"]);
});

test("look_largeLog_startsWithAWholeLineOfItsEnd", async () => {
  const server = new LogServer();
  server.append("stdout", Array.from({ length: 400_000 }, (_, i) => `line ${i}\n`).join(""));
  const log = new MergedLog([streamOf("stdout")]);
  await log.poll();
  assert.equal(log.shortened, true);
  assert.match(log.line(0)!.text, /^line \d{6}$/);
  assert.equal(log.line(log.count() - 1)?.text, "line 399999");
});

test("look_progressBarLargerThanTheFirstRead_isNotEmpty", async () => {
  const server = new LogServer();
  server.append("stderr", Array.from({ length: 20_000 }, (_, i) => `\rstep ${i}`).join("") + "\n");
  const log = new MergedLog([streamOf("stderr")], 16 * 1024);
  await log.poll();
  assert.equal(log.count(), 1);
  assert.equal(plain(log.line(0)!.text), "step 19999");
});

test("look_tooManyLines_dropsTheFirst", async () => {
  const server = new LogServer();
  const log = new MergedLog([streamOf("stdout")]);
  await log.poll();
  server.append("stdout", "x\n".repeat(50_010));
  while (await log.poll());
  assert.equal(log.count(), 50_000);
  assert.equal(log.dropped, 10);
});
