// If a job was submitted to another virtual cluster than the one in its job file, rerun and clone use that virtual cluster, too.
import assert from "node:assert/strict";
import { expectValue, submitForm } from "../submit-form.mjs";

export default async function rerun(fixture) {
  const { page } = fixture;
  const { name, password, token } = await fixture.newUser();
  const cluster = fixture.unique("lab");
  await fixture.requestAsAdmin("POST", "/virtual-clusters", { name: cluster });
  await fixture.requestAsAdmin("POST", "/groups", { name: cluster, virtualClusters: [cluster] });
  await fixture.requestAsAdmin("PUT", `/groups/${cluster}/members/${name}`);
  const job = fixture.job("elsewhere", "echo done");
  const first = await fixture.request("POST", `/jobs?virtualCluster=${cluster}`, job, token);
  await fixture.waitForState(first.id, "SUCCEEDED");
  const runsThere = async (called) => {
    const { virtualCluster } = await fixture.waitForState(`${name}~${called}`, "SUCCEEDED");
    assert.equal(virtualCluster, cluster, called);
  };
  await fixture.createSession(name, password);
  await fixture.go(`/jobs/${name}/elsewhere`);
  await fixture.button("Rerun", "重新运行").click();
  await fixture.heading("elsewhere-2", "elsewhere-2").waitFor();
  await runsThere("elsewhere-2");

  await fixture.link("Clone", "克隆").or(fixture.button("Clone", "克隆")).first().click();
  await expectValue(fixture.field("Job name", "任务名称"), "elsewhere-3");
  await page.getByTitle(cluster, { exact: true }).locator("visible=true").first().waitFor();
  await submitForm(fixture);
  await runsThere("elsewhere-3");
}
