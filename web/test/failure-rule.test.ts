import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleOf, withRule } from "../src/submit/document/failure-rule";

const STOP = "set -o errexit -o nounset -o pipefail\n";
const CONTINUE = "set +o errexit +o nounset +o pipefail\n";

test("ruleOf_firstLineDecides_elseTheFormat", () => {
  assert.equal(ruleOf("train", "stop"), "stop");
  assert.equal(ruleOf("train", "continue"), "continue");
  assert.equal(ruleOf(CONTINUE + "train", "stop"), "continue");
  assert.equal(ruleOf(STOP + "train", "continue"), "stop");
  assert.equal(ruleOf("train\n" + STOP, "continue"), "continue");
});

test("withRule_eitherRuleInEitherFormat_andBack", () => {
  assert.equal(withRule("train", "continue", "stop"), CONTINUE + "train");
  assert.equal(withRule("train", "stop", "continue"), STOP + "train");
  assert.equal(withRule(CONTINUE + "train", "stop", "stop"), "train");
  assert.equal(withRule(CONTINUE + "train", "continue", "stop"), CONTINUE + "train");
  assert.equal(withRule(CONTINUE + "train", "stop", "continue"), STOP + "train");
  assert.equal(withRule("", "stop", "continue"), STOP);
});
