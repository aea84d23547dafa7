import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, open, written } from "../src/submit/document/job-document";
import { isWithin, pathText } from "../src/submit/document/path";
import { masked, shapeOf } from "../src/submit/document/shape";

test("changed_yaml_keepsCommentsNumbersAndOrder", () => {
  const text = "# my job\nprotocolVersion: 2\nname: a # the name\ntype: job\nparameters: {rate: 1.50}\n";
  assert.equal(changed(text, (job) => job.set(["name"], "b")), text.replace("name: a", "name: b").replace("{rate: 1.50}", "{ rate: 1.50 }"));
});

test("changed_yaml_scriptsOfSeveralLines_areBlocks", () => {
  const text = changed("protocolVersion: 2\n", (job) => job.set(["commands"], ["a\nb"]));
  assert.match(text, /- \|-?\n\s+a\n\s+b/);
});

test("changed_yaml_maskedTable_becomesATable", () => {
  const text = changed('protocolVersion: 2\nsecrets: "******"\n', (job) => job.set(["secrets", "key"], "x"));
  assert.match(text, /secrets:\n\s+key: x/);
});

test("changed_json_setsRenamesAndRemoves", () => {
  const text = changed('{"jobName": "a", "jobEnvs": {"A": "1", "B": "2"}}', (job) => {
    job.rename(["jobEnvs", "A"], "C");
    job.remove(["jobEnvs", "B"]);
    job.set(["taskRoles", 0, "name"], "main");
    job.set(["__proto__", "x"], 1);
  });
  const root = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual(root["jobEnvs"], { C: "1" });
  assert.deepEqual(root["taskRoles"], [{ name: "main" }]);
  assert.ok(Object.hasOwn(root, "__proto__"));
  assert.equal(Object.hasOwn({}, "x"), false);
});

test("changed_brokenText_staysTheSame", () => {
  assert.equal(changed("{", (job) => job.set(["name"], "b")), "{");
});

test("open_faults_areDistinguished", () => {
  const fault = (text: string) => {
    const opened = open(text);
    return "fault" in opened ? opened.fault.kind : null;
  };
  assert.equal(fault('{"jobName": "a"}'), null);
  assert.equal(fault("{protocolVersion: 2, name: a}"), null);
  assert.equal(fault('{"jobName": '), "broken");
  assert.equal(fault("a: 1"), "unknown");
  assert.equal(fault("protocolVersion: 2\nx: &a 1\ny: *a"), "beyond");
  assert.equal(fault("protocolVersion: 2\ntime: 1:30"), "beyond");
  assert.equal(fault("protocolVersion: 2\nmode: 010"), "beyond");
});

test("written_convertsBetweenTheSyntaxes", () => {
  assert.equal(written({ protocolVersion: 2, name: "a" }, "yaml"), "protocolVersion: 2\nname: a\n");
  assert.equal(written({ jobName: "a" }, "json"), '{\n  "jobName": "a"\n}\n');
});

test("pathText_isThatOfTheServer", () => {
  assert.equal(pathText(["taskRoles", 0, "command"]), "taskRoles[0].command");
  assert.equal(pathText(["jobEnvs", "a b"]), 'jobEnvs["a b"]');
  assert.equal(isWithin("taskRoles[0].command", "taskRoles[0]"), true);
  assert.equal(isWithin("taskRoles[01]", "taskRoles[0"), false);
  assert.equal(isWithin("jobNames", "jobName"), false);
});

test("masked_findsAllMasks", () => {
  assert.deepEqual(masked({ secrets: { a: "******", b: "x" }, list: ["******"] }), [["secrets", "a"], ["list", 0]]);
});

test("open_jsonWithComments_isShownAsForm", () => {
  const opened = open('// a job\n{ /* its name */ "jobName": "a // b", // end\n "image": "http://x/*y*/", "taskRoles": [] }\n');
  assert.ok("document" in opened);
  assert.deepEqual(opened.document.root, { jobName: "a // b", image: "http://x/*y*/", taskRoles: [] });
});

test("readPorts_v1_numbersInQuotes", () => {
  const root = { taskRoles: [{ name: "a", portList: [{ label: "web", beginAt: "8080", portNumber: "2" }] }] };
  assert.deepEqual(shapeOf(root).roles(root)[0]?.readPorts(root), [{ label: "web", count: 2, first: 8080 }]);
});
