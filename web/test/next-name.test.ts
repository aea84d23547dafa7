import assert from "node:assert/strict";
import { test } from "node:test";
import { nextName } from "../src/submit/next-name";

test("nextName_countsUp", () => {
  assert.equal(nextName("hello", new Set(["hello"])), "hello-2");
  assert.equal(nextName("hello-2", new Set(["hello", "hello-2"])), "hello-3");
});

test("nextName_taken_isSkipped", () => {
  assert.equal(nextName("hello-2", new Set(["hello-2", "hello-3", "hello-4", "hello-6"])), "hello-5");
  assert.equal(nextName("hello", new Set(["hello", "hello-2"])), "hello-3");
});
