import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, messageText, reasonOf, setServerMessages } from "../src/api/messages";

setServerMessages({
  "wait.ahead": "前面还有 {count} 个任务",
  "wait.more": "空闲{ahead||，前面还有 # 个任务|，前面还有 # 个任务}",
  "tasks": "{n|# 个|# 个以上}",
  "outer": "原因：{why}",
  "memory": "需要 {needed:size}，最多 {most:size}",
});

test("messageText_english_isTheTextOfTheServer", () => {
  assert.equal(messageText({ code: "wait.ahead", message: "2 jobs ahead", params: { count: 2 } }, "en"), "2 jobs ahead");
});

test("messageText_chinese_fillsTheTemplate", () => {
  assert.equal(messageText({ code: "wait.ahead", message: "x", params: { count: 2 } }, "zh"), "前面还有 2 个任务");
  assert.equal(messageText({ code: "wait.more", params: { ahead: 0 } }, "zh"), "空闲");
  assert.equal(messageText({ code: "wait.more", params: { ahead: 3 } }, "zh"), "空闲，前面还有 3 个任务");
  assert.equal(messageText({ code: "tasks", params: { n: 1 } }, "zh"), "1 个");
  assert.equal(messageText({ code: "tasks", params: { n: 5 } }, "zh"), "5 个以上");
});

test("messageText_sizes_areInAReadableUnit", () => {
  const memory = (needed: unknown, most: unknown) => messageText({ code: "memory", params: { needed, most } }, "zh");
  assert.equal(memory(512, 32768), "需要 512 MiB，最多 32 GiB");
  assert.equal(memory(1000, 1_572_864), "需要 1000 MiB，最多 1.5 TiB");
  assert.equal(memory(0, 2048), "需要 0 MiB，最多 2 GiB");
  assert.equal(memory(2001, 2000), "需要 2001 MiB，最多 2000 MiB");
  assert.equal(memory("?", 1), "需要 ?，最多 1 MiB");
});

test("messageText_nestedMessages_areTranslated", () => {
  const why = { code: "wait.ahead", message: "x", params: { count: 1 } };
  assert.equal(messageText({ code: "outer", params: { why } }, "zh"), "原因：前面还有 1 个任务");
});

test("messageText_unknownCode_isEnglish", () => {
  assert.equal(messageText({ code: "new", message: "brand-new" }, "zh"), "brand-new");
  assert.equal(messageText({ code: "new" }, "zh"), "new");
  assert.equal(reasonOf({ reason: null, reasonCode: null, reasonParams: null }, "zh"), "");
});

test("failureOf_addsToTheState", () => {
  const reason = (reasonCode: string, message: string) => ({ reasonCode, reason: message, reasonParams: null, failure: null });
  assert.equal(failureOf(reason("end.succeeded", "succeeded"), "en").full, "");
  assert.equal(failureOf(reason("end.exit-code", "exited with code 1"), "en").short, "exited with code 1");
  const failure = { code: "new", message: "out of disk" };
  const failed = failureOf({ ...reason("end.exit-code", "exited with code 1"), failure }, "en");
  assert.deepEqual(failed, { short: "Out of disk", full: "Out of disk (exited with code 1)" });
  assert.match(failureOf({ ...reason("end.exit-code", "exited with code 1"), failure }, "zh").full, /（exited with code 1）$/);
});
