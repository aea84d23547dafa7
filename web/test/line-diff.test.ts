import assert from "node:assert/strict";
import { test } from "node:test";
import { lineDiff } from "../src/job/line-diff";

const lines = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

test("lineDiff_equalTexts_areTheSame", () => {
  assert.deepEqual(lines("a\nb", "a\nb"), [" a", " b"]);
  assert.deepEqual(lines("", ""), [" "]);
});

test("lineDiff_changes_areMinimal", () => {
  assert.deepEqual(lines("a\nb\nc", "a\nx\nc"), [" a", "-b", "+x", " c"]);
  assert.deepEqual(lines("a\nc", "a\nb\nc"), [" a", "+b", " c"]);
  assert.deepEqual(lines("a\nb\nc", "c"), ["-a", "-b", " c"]);
});

test("lineDiff_repeatedLines_areNotLost", () => {
  assert.deepEqual(lines("a\na\na", "a\na"), [" a", " a", "-a"]);
});

test("lineDiff_anyTexts_giveBothBack", () => {
  let seed = 7;
  const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 200; round++) {
    const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n");
    const [before, after] = [text(), text()];
    const changes = lineDiff(before, after);
    const without = (kind: string) => changes.filter((one) => one.kind !== kind).map((one) => one.text).join("\n");
    assert.equal(without("added"), before);
    assert.equal(without("removed"), after);
  }
});

test("lineDiff_nothingInCommon_isShownOneAfterTheOther", () => {
  const many = (prefix: string) => Array.from({ length: 3_000 }, (_, i) => `${prefix}${i}`).join("\n");
  const changes = lineDiff(many("a"), many("b"));
  assert.equal(changes.length, 6_000);
  assert.equal(changes[2_999]?.kind, "removed");
  assert.equal(changes[3_000]?.kind, "added");
});
