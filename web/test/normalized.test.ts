import assert from "node:assert/strict";
import { test } from "node:test";
import { normalized } from "../src/job/normalized";

test("normalized_sameContentInOtherSyntaxAndOrder_isEqual", () => {
  const json = '{"taskRoles":[{"command":"cd x\\nmake","name":"main"}],"jobName":"a","image":"i"}';
  const yaml = "image: i\njobName: a\ntaskRoles:\n  - name: main\n    command: |-\n      cd x\n      make\n";
  assert.equal(normalized(json), normalized(yaml));
  assert.match(normalized(json), /^jobName: a\n/);
  assert.match(normalized(json), /command: \|-\n\s+cd x\n\s+make$/);
});

test("normalized_orderOfLists_isKept", () => {
  assert.match(normalized('{"jobName":"a","taskRoles":[{"name":"z"},{"name":"b"}]}'), /name: z[^]*name: b/);
});

test("normalized_unreadable_isUnchanged", () => {
  assert.equal(normalized("{ not a file"), "{ not a file");
});
