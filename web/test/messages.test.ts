import assert from "node:assert/strict";
import { test } from "node:test";
import { messageText, reasonOf, setServerMessages } from "../src/api/messages";

setServerMessages({
  "wait.ahead": "前面还有 {count} 个任务",
  "wait.more": "空闲{ahead||，前面还有 # 个任务|，前面还有 # 个任务}",
  "tasks": "{n|# 个|# 个以上}",
  "outer": "原因：{why}",
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

test("messageText_nestedMessages_areTranslated", () => {
  const why = { code: "wait.ahead", message: "x", params: { count: 1 } };
  assert.equal(messageText({ code: "outer", params: { why } }, "zh"), "原因：前面还有 1 个任务");
});

test("messageText_unknownCode_isEnglish", () => {
  assert.equal(messageText({ code: "new", message: "brand-new" }, "zh"), "brand-new");
  assert.equal(messageText({ code: "new" }, "zh"), "new");
  assert.equal(reasonOf({ reason: null, reasonCode: null, reasonParams: null }, "zh"), "");
});
