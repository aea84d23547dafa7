import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeOf } from "../src/submit/document/shape";
import { fieldOf, formFields } from "../src/submit/problems";

const problem = (path: string) => ({ path, code: "x", message: "x", params: {}, line: 0, column: 0 });

test("fieldOf_pathOfProblem_namesTheLabelAndTheRole", () => {
  const v1 = { jobName: "a", image: "i", taskRoles: [{ name: "ps" }, { name: "worker", command: 1 }] };
  const fields = formFields(shapeOf(v1), v1);
  const field = fieldOf(problem("taskRoles[1].command"), fields);
  assert.deepEqual([field?.label, field?.role], ["command", "worker"]);
  const name = fieldOf(problem("jobName"), fields);
  assert.deepEqual([name?.label, name?.role], ["jobName", undefined]);
  assert.equal(fieldOf(problem("extras.unknown"), fields), null);
});

test("fieldOf_v2_usesTheInnermostField", () => {
  const v2 = { protocolVersion: 2, name: "a", taskRoles: { main: { resourcePerInstance: { gpu: -1 } } } };
  const field = fieldOf(problem("taskRoles.main.resourcePerInstance.gpu"), formFields(shapeOf(v2), v2));
  assert.deepEqual([field?.label, field?.role], ["devices", "main"]);
});
