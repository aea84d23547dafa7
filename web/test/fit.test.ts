import assert from "node:assert/strict";
import { test } from "node:test";
import { capacityOf, excesses, fitted } from "../src/submit/fit";

const seed = {
  jobName: "tensorflow-cifar10",
  image: "openpai/pai.example.tensorflow",
  gpuType: "a100",
  taskRoles: [{ name: "cifar_train", taskNumber: 1, cpuNumber: 8, memoryMB: 32768, shmMB: 16384, gpuNumber: 1, command: "true" }],
};

const never = {
  reasonCode: "wait.never-devices-cpus-memory",
  reasonParams: { devices: 1, kind: "GPU", mostDevices: 0, cpus: 8, mostCpus: 2, memoryMB: 32768, mostMemoryMB: 8000 },
};

test("capacityOf_nodesWithoutDevices_allowsNone", () => {
  assert.deepEqual(capacityOf(never), { devices: 0, cpus: 2, memoryMB: 8000 });
  assert.deepEqual(capacityOf({ reasonCode: "wait.never-devices", reasonParams: { devices: 8, mostDevices: 4 } }), { devices: 4, cpus: null, memoryMB: null });
});

test("capacityOf_quota_helpsOnlyIfItIsZero", () => {
  assert.deepEqual(capacityOf({ reasonCode: "wait.never-user-limit-devices", reasonParams: { needed: 1, most: 0 } })?.devices, 0);
  assert.equal(capacityOf({ reasonCode: "wait.never-user-limit-devices", reasonParams: { needed: 4, most: 2 } }), null);
  assert.equal(capacityOf({ reasonCode: "wait.devices", reasonParams: { mostDevices: 0 } }), null);
  assert.equal(capacityOf({ reasonCode: null, reasonParams: null }), null);
});

test("fitted_reducesOnlyWhatExceeds", () => {
  const capacity = capacityOf(never)!;
  assert.deepEqual(excesses(seed, capacity).map(({ path }) => path.at(-1)), ["gpuNumber", "cpuNumber", "memoryMB"]);
  const after = JSON.parse(fitted(JSON.stringify(seed), capacity)) as typeof seed;
  assert.deepEqual(after.taskRoles[0], { ...seed.taskRoles[0], gpuNumber: 0, cpuNumber: 2, memoryMB: 8000, shmMB: 8000 });
  assert.equal("gpuType" in after, false);
  assert.deepEqual(excesses(after, capacity), []);
});
