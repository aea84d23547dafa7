import assert from "node:assert/strict";
import { test } from "node:test";
import { effectiveCluster, inCluster } from "../src/submit/document/virtual-cluster";

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

const v1 = (virtualCluster?: string) => JSON.stringify({ jobName: "a", virtualCluster, taskRoles: [] });
const v2 = "protocolVersion: 2 # kept\nname: a\ntype: job\ntaskRoles: {}\n";

test("inCluster_otherThanInTheFile_isWritten", () => {
  assert.equal(JSON.parse(inCluster(v1(), "lab", ["default", "lab"])).virtualCluster, "lab");
  assert.equal(JSON.parse(inCluster(v1("old"), "lab", ["lab", "old"])).virtualCluster, "lab");
  assert.equal(JSON.parse(inCluster(v1("lab"), "default", ["default", "lab"])).virtualCluster, "default");
  const text = inCluster(v2, "lab", ["default", "lab"]);
  assert.match(text, /# kept/);
  assert.match(text, /defaults:\s+virtualCluster: lab/);
});

test("inCluster_sameOrNotAvailable_leavesTheFile", () => {
  assert.equal(inCluster(v1(), "default", ["default", "lab"]), v1());
  assert.equal(inCluster(v1(), "lab", ["lab"]), v1());
  assert.equal(inCluster(v1(), "theirs", ["default"]), v1());
  assert.equal(inCluster("{", "lab", ["lab"]), "{");
});
