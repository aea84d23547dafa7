import assert from "node:assert/strict";
import { test } from "node:test";
import { effectiveCluster } from "../src/submit/document/virtual-cluster";

test("effectiveCluster_onlyOneAvailable_replacesDefault", () => {
  assert.equal(effectiveCluster("", ["class"]), "class");
  assert.equal(effectiveCluster("default", ["class"]), "class");
});

test("effectiveCluster_otherwise_isAsWritten", () => {
  assert.equal(effectiveCluster("", ["default", "class"]), "default");
  assert.equal(effectiveCluster("default", ["lab", "class"]), "default");
  assert.equal(effectiveCluster("lab", ["class"]), "lab");
  assert.equal(effectiveCluster("", []), "default");
});
