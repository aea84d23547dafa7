import assert from "node:assert/strict";
import { test } from "node:test";
import { IndexedLog } from "../src/job/log/indexed-log";
import { plain } from "../src/job/log/line-text";
import { linesOf } from "../src/job/log/log-part";
import { LogServer, streamOf } from "./log-server";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const text = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");

test("linesOf_splitsByBytes", () => {
  const lines = linesOf(Buffer.from("a\r\nb半\n\nc"), 10);
  assert.deepEqual(lines.map((line) => [line.text, line.offset]), [["a", 10], ["b半", 13], ["", 18], ["c", 19]]);
});

test("want_loadsOnlyThePartsThatAreNeeded", async () => {
  const server = new LogServer();
  server.append("stdout", text(200));
  const log = new IndexedLog(streamOf("stdout").address);
  await log.poll();
  assert.equal(log.count(), 200);
  assert.equal(log.line(150), undefined);
  log.want(150, 151);
  await settled();
  assert.equal(log.line(150)?.text, "line 150");
  assert.equal(log.line(0), undefined);
});

test("look_grownLog_continuesTheLastPart", async () => {
  const server = new LogServer();
  server.append("stdout", "first\nunfinish");
  const log = new IndexedLog(streamOf("stdout").address);
  await log.poll();
  assert.equal(log.count(), 2);
  server.append("stdout", "ed\nlast\n");
  assert.equal(await log.poll(), true);
  assert.equal(await log.poll(), false);
  log.want(0, 3);
  await settled();
  assert.deepEqual([0, 1, 2, 3].map((i) => log.line(i)?.text), ["first", "unfinished", "last", undefined]);
});

test("lineAt_findsTheLineOfAByte", async () => {
  const server = new LogServer();
  server.append("stdout", text(100));
  const log = new IndexedLog(streamOf("stdout").address);
  await log.poll();
  const offset = text(100).indexOf("line 57");
  assert.equal(await log.lineAt(offset), 57);
  assert.equal(await log.lineAt(offset + 3), 57);
  assert.equal(await log.whole(57), "line 57");
});

test("look_progressBar_isShownWithItsLastState", async () => {
  const server = new LogServer();
  server.append("stderr", "loading\n");
  const log = new IndexedLog(streamOf("stderr").address);
  for (const upTo of [1_000, 60_000]) {
    server.append("stderr", Array.from({ length: upTo }, (_, i) => `\rstep ${i} of ${upTo}`).join(""));
    await log.poll();
    assert.equal(log.count(), 2);
    log.want(0, 2);
    await settled();
    assert.equal(plain(log.line(1)!.text), `step ${upTo - 1} of ${upTo}`);
  }
});
