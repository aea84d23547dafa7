import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../src/submit/editor/diagnostics";

test("lineOf_field_isFoundInJsonAndYaml", () => {
  assert.equal(lineOf("jobName", '{\n  "image": "a",\n  "jobName": "hello"\n}'), 3);
  assert.equal(lineOf("name", "protocolVersion: 2\nname: hello\ntype: job\n"), 2);
  assert.equal(lineOf("defaults.virtualCluster", "name: a\ndefaults:\n  virtualCluster: lab\n"), 3);
});

test("lineOf_missingField_isTheFirstLine", () => {
  assert.equal(lineOf("", "name: hello"), 1);
  assert.equal(lineOf("jobName", "name: hello"), 1);
});
