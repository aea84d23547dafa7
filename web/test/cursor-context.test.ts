import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonCursorContext } from "../src/submit/editor/cursor-context";
import { yamlCursorContext } from "../src/submit/editor/yaml-cursor-context";

/** The cursor is at the character ¦. */
function at(text: string, context: typeof jsonCursorContext) {
  const position = text.indexOf("¦");
  const found = context(text.replace("¦", ""), position);
  return found && { kind: found.kind, within: found.within.join("."), taken: found.taken.join(" "), word: position - found.from };
}

test("json_fieldName", () => {
  assert.deepEqual(at('{"jobName": "a", "im¦', jsonCursorContext), { kind: "name", within: "", taken: "jobName", word: 3 });
  assert.deepEqual(at('{"taskRoles": [{"a": 1}, {"name": "x", ¦', jsonCursorContext), { kind: "name", within: "taskRoles.1", taken: "name", word: 0 });
});

test("json_value", () => {
  assert.deepEqual(at('{"virtualCluster": "de¦"}', jsonCursorContext), { kind: "value", within: "virtualCluster", taken: "", word: 3 });
  assert.equal(at("¦", jsonCursorContext), null);
});

test("yaml_fieldName", () => {
  const text = "name: a\ntaskRoles:\n  main:\n    instances: 1\n    com¦";
  assert.deepEqual(at(text, yamlCursorContext), { kind: "name", within: "taskRoles.main", taken: "instances", word: 3 });
  assert.deepEqual(at("prerequisites:\n  - name: a\n    ty¦", yamlCursorContext), { kind: "name", within: "prerequisites.0", taken: "name", word: 2 });
});

test("yaml_value", () => {
  assert.deepEqual(at("defaults:\n  virtualCluster: de¦", yamlCursorContext), { kind: "value", within: "defaults.virtualCluster", taken: "", word: 2 });
});

test("yaml_commentsAndScripts_haveNoContext", () => {
  assert.equal(at("# na¦", yamlCursorContext), null);
  assert.equal(at("commands: |-\n  ec¦", yamlCursorContext), null);
});
