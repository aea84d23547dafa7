import assert from "node:assert/strict";
import { test } from "node:test";
import { returnPath } from "../src/account/return-path";
import { dayOf, endOfDay, localDateTime, localDay, millisOf } from "../src/components/dates";
import { blocks } from "../src/help/blocks";
import { formatsOf } from "../src/i18n/format";
import { ROW, Scale } from "../src/job/log/scroll";

test("formats_durationAndSizes", () => {
  const { bytes, duration, memory, hours } = formatsOf("en");
  assert.equal(duration(3_723_900), "01:02:03");
  assert.equal(duration(93_784_000), "1d 02:03:04");
  assert.equal(duration(-5), "00:00:00");
  assert.equal(memory(512), "512 MiB");
  assert.equal(memory(1536), "1.5 GiB");
  assert.equal(memory(0), "0 MiB");
  assert.deepEqual([0, 2, 1536, 3 << 20].map(bytes), ["0 B", "2 B", "1.5 KiB", "3 MiB"]);
  assert.equal(hours(0.1234), "0.123");
  assert.equal(hours(12.34), "12.3");
});

test("dates_areInTheLocalTimeZone", () => {
  assert.equal(localDay(millisOf("2026-03-01")), "2026-03-01");
  assert.equal(localDateTime(millisOf("2026-03-01T07:05")), "2026-03-01T07:05");
  assert.equal(localDay(endOfDay("2026-02-28")), "2026-03-01");
});

test("dates_daylightSaving_changesTheLengthOfADay", () => {
  const before = process.env["TZ"];
  process.env["TZ"] = "Europe/Berlin";
  assert.equal(endOfDay("2026-03-29") - millisOf("2026-03-29"), 23 * 3_600_000);
  assert.equal(endOfDay("2026-10-25") - millisOf("2026-10-25"), 25 * 3_600_000);
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});

test("dayOf_invalidDays_areEmpty", () => {
  assert.equal(dayOf("2026-03-01"), "2026-03-01");
  for (const text of [null, "", "today", "2026-3-1", "2026-13-01"]) assert.equal(dayOf(text), "");
});

test("returnPath_acceptsPathsOfThisSiteOnly", () => {
  assert.equal(returnPath("/jobs?state=RUNNING"), "/jobs?state=RUNNING");
  for (const path of [null, "", "https://evil.example", "//evil.example", "/\\evil.example", "jobs"]) assert.equal(returnPath(path), "/jobs");
});

test("scale_shortList_isNotShrunk", () => {
  const scale = new Scale(100, 400);
  assert.equal(scale.isShrunk, false);
  assert.ok(Math.abs(scale.pixels(90) - 90) < 0.001);
  assert.equal(scale.bottom, 100 * ROW - 400);
});

test("scale_longList_reachesBothEnds", () => {
  const scale = new Scale(10_000_000, 400);
  assert.equal(scale.isShrunk, true);
  assert.equal(scale.pixels(0), 0);
  assert.equal(scale.pixels(scale.height), scale.bottom);
  assert.ok(Math.abs(scale.pixels(scale.scrollTop(5_000_000)) - 5_000_000) < 1);
});

test("blocks_dividesMarkdown", () => {
  const found = blocks("## A title\n\ntext\nmore\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n");
  assert.deepEqual(found.map(({ kind }) => kind), ["heading", "paragraph", "list", "table", "code"]);
  assert.deepEqual(found[0], { kind: "heading", level: 2, text: "A title", id: "a-title" });
  assert.deepEqual(found[1], { kind: "paragraph", text: "text more" });
});
