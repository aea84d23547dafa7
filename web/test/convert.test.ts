import assert from "node:assert/strict";
import { test } from "node:test";
import { lossesOf, toV2 } from "../src/submit/document/convert";
import { open } from "../src/submit/document/job-document";

const v1 = {
  jobName: "hello.world",
  image: "ubuntu:24.04",
  retryCount: 2,
  gpuType: "a100",
  taskRoles: [
    { name: "main-role", taskNumber: 3, cpuNumber: 2, memoryMB: 512, gpuNumber: 1, command: "echo hi", minFailedTaskCount: null },
  ],
};

function converted(job: Record<string, unknown>): Record<string, any> {
  return JSON.parse(toV2(job, "json")) as Record<string, any>;
}

test("toV2_carriesAllFieldsOver", () => {
  const job = converted(v1);
  assert.equal(job["protocolVersion"], 2);
  assert.equal(job["name"], "hello-world");
  assert.equal(job["jobRetryCount"], 2);
  assert.deepEqual(job["prerequisites"], [{ name: "image", type: "dockerimage", uri: "ubuntu:24.04" }]);
  const role = job["taskRoles"]["main_role"];
  assert.equal(role.instances, 3);
  assert.deepEqual(role.resourcePerInstance, { cpu: 2, memoryMB: 512, gpu: 1 });
  assert.deepEqual(role.commands, ["set +o errexit +o nounset +o pipefail\necho hi"]);
  assert.deepEqual(role.completion, { minFailedInstances: -1, minSucceededInstances: -1 });
});

test("toV2_absentFields_keepTheDefaultsOfV1", () => {
  const job = converted({ jobName: "a", image: "b", taskRoles: [{ name: "main", command: "true" }] });
  const role = job["taskRoles"]["main"];
  assert.deepEqual(role.resourcePerInstance, { cpu: 1, memoryMB: 100, gpu: 0 });
  assert.equal(role.extraContainerOptions.shmMB, 64);
  assert.equal(role.completion.minFailedInstances, 1);
});

test("toV2_variablesAndDirectories_becomeLinesOfTheScript", () => {
  const job = converted({ ...v1, jobEnvs: { A: "it's", "not valid": "x" }, dataDir: "/tmp/$PAI_JOB_NAME", outputDir: "/userhome/`x`" });
  assert.deepEqual(job["taskRoles"]["main_role"].commands.join("\n").split("\n"), [
    "set +o errexit +o nounset +o pipefail",
    "export A='it'\\''s'",
    'export PAI_DATA_DIR="/tmp/hello.world"',
    'mkdir -p "$PAI_DATA_DIR"',
    'export PAI_OUTPUT_DIR="/userhome/\\`x\\`"',
    'mkdir -p "$PAI_OUTPUT_DIR"',
    "echo hi",
  ]);
});

test("toV2_equalNames_becomeUnique", () => {
  const roles = ["a-b", "a_b", "1"].map((name) => ({ ...v1.taskRoles[0], name }));
  assert.deepEqual(Object.keys(converted({ ...v1, taskRoles: roles })["taskRoles"]).sort(), ["_1", "a_b", "a_b_2"]);
});

test("toV2_unlimitedRetries_becomeTheLargestNumber", () => {
  assert.equal(converted({ ...v1, retryCount: -2 })["jobRetryCount"], 2_147_483_647);
});

test("toV2_incompleteFile_isConverted", () => {
  assert.equal(converted({ jobName: "a" })["name"], "a");
});

test("toV2_yaml_canBeReadAgain", () => {
  const opened = open(toV2(v1, "yaml"));
  assert.ok("document" in opened);
  assert.equal(opened.document.root["name"], "hello-world");
});

test("toV2_outputDirectory_isStillSaved", () => {
  const before = { ...v1, outputDir: "/out/$PAI_USER_NAME/${PAI_JOB_NAME}" };
  const job = converted(before);
  assert.deepEqual(job["prerequisites"][1], { name: "output", type: "output", uri: "/out/$PAI_USER_NAME/hello.world" });
  assert.equal(job["taskRoles"]["main_role"].output, "output");
  assert.equal(lossesOf(before)?.output, false);
});

test("lossesOf_namesWhatV2CannotExpress", () => {
  const port = { label: "web", beginAt: 8080, portNumber: 1 };
  const losses = lossesOf({
    ...v1,
    retryCount: -2,
    outputDir: "/tmp/$HOME",
    jobEnvs: { "not valid": "x", V: "<%" },
    taskRoles: [{ ...v1.taskRoles[0], portList: [port] }],
  });
  assert.deepEqual(losses?.dropped, ["not valid"]);
  assert.deepEqual(losses?.renamed, [["hello.world", "hello-world"], ["main-role", "main_role"]]);
  assert.deepEqual(losses?.anyPort, ["web"]);
  assert.deepEqual([losses?.always, losses?.output], [true, true]);
  assert.deepEqual(losses?.template, ["main-role"]);
});

test("lossesOf_nothingLost_isNull", () => {
  const roles = [{ ...v1.taskRoles[0], name: "main" }];
  assert.equal(lossesOf({ ...v1, jobName: "hello", taskRoles: roles, extras: { kept: 1 } }), null);
});

test("toV2_commandThatStopsAtFailures_needsNoLineInV2", () => {
  const command = "set -o errexit -o nounset -o pipefail\ntrain";
  const job = converted({ ...v1, taskRoles: [{ ...v1.taskRoles[0], command }] });
  assert.deepEqual(job["taskRoles"]["main_role"].commands, ["train"]);
});
