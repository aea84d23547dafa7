import assert from "node:assert/strict";
import { test } from "node:test";
import { MergedLog } from "../src/job/log/merged-log";
import { LogServer, streamOf } from "./log-server";

const shown = (log: MergedLog) =>
  Array.from({ length: log.count() }, (_, i) => `${log.line(i)!.from}: ${log.line(i)!.text}`);

test("look_existingLines_areListedStreamByStream", async () => {
  const server = new LogServer();
  server.append("stdout", "one\ntwo\n");
  server.append("stderr", "three\n");
  const log = new MergedLog([streamOf("stdout"), streamOf("stderr")]);
  assert.equal(await log.look(), true);
  assert.deepEqual(shown(log), ["stdout: one", "stdout: two", "stderr: three"]);
  assert.equal(log.line(0)?.error, false);
  assert.equal(log.line(2)?.error, true);
  assert.equal(log.shortened, false);
});

test("look_newLines_areAppendedAsTheyArrive", async () => {
  const server = new LogServer();
  const log = new MergedLog([streamOf("stdout"), streamOf("stderr")]);
  assert.equal(await log.look(), false);
  server.append("stderr", "first\n");
  await log.look();
  server.append("stdout", "second\n");
  await log.look();
  assert.deepEqual(shown(log), ["stderr: first", "stdout: second"]);
  assert.equal(log.line(1)?.offset, 0);
});

test("look_unfinishedLine_isShownWhenItEnds", async () => {
  const server = new LogServer();
  server.append("stdout", "whole\nhal");
  const log = new MergedLog([streamOf("stdout")]);
  await log.look();
  assert.deepEqual(shown(log), ["stdout: whole"]);
  server.append("stdout", "f 半\n");
  await log.look();
  assert.deepEqual(shown(log), ["stdout: whole", "stdout: half 半"]);
  assert.equal(log.line(1)?.offset, 6);
});

test("readOut_unfinishedLine_isShown", async () => {
  const server = new LogServer();
  server.append("stdout", "whole\nhalf");
  const log = new MergedLog([streamOf("stdout")]);
  await log.readOut();
  assert.deepEqual(shown(log), ["stdout: whole", "stdout: half"]);
});

test("look_twoAtOnce_readNothingTwice", async () => {
  const server = new LogServer();
  server.append("stdout", "one\n");
  const log = new MergedLog([streamOf("stdout")]);
  await Promise.all([log.look(), log.look()]);
  assert.deepEqual(shown(log), ["stdout: one"]);
});

test("look_largeLog_startsWithAWholeLineOfItsEnd", async () => {
  const server = new LogServer();
  server.append("stdout", Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join(""));
  const log = new MergedLog([streamOf("stdout")]);
  await log.look();
  assert.equal(log.shortened, true);
  assert.match(log.line(0)!.text, /^line \d{5}$/);
  assert.equal(log.line(log.count() - 1)?.text, "line 99999");
});

test("look_tooManyLines_dropsTheFirst", async () => {
  const server = new LogServer();
  const log = new MergedLog([streamOf("stdout")]);
  await log.look();
  server.append("stdout", "x\n".repeat(50_010));
  while (await log.look());
  assert.equal(log.count(), 50_000);
  assert.equal(log.dropped, 10);
});
