// An administrator cordons and uncordons a node. The languages run one after the other because there is only one node.
import assert from "node:assert/strict";

export const sequential = true;

/** The reason of a cordon is shown until the node is uncordoned. */
export default async function cordon(fixture) {
  const { page } = fixture;
  await fixture.createSession("admin", fixture.password);
  await fixture.go("/cluster");
  await fixture.button("Cordon", "停止调度").first().click();
  await fixture.field("Reason, visible to all users (optional)", "原因，所有用户可见（可选）", fixture.dialog()).fill("the fan is loud");
  await fixture.button("Cordon", "停止调度", fixture.dialog()).click();
  await page.getByText(fixture.localized("Cordoned", "已停止调度"), { exact: true }).first().waitFor();
  await page.getByText("the fan is loud").waitFor();
  await fixture.button("Uncordon", "恢复调度").first().click();
  await fixture.button("Cordon", "停止调度").first().waitFor();
  assert.equal(await page.getByText("the fan is loud").count(), 0);
}
