// A progress bar that never ends its line is visible while it changes, in every view and even if it has overwritten itself with
// more bytes than the page reads. Users can go to matches in both directions. URLs in the log are links. Long lines can be
// wrapped.
import assert from "node:assert/strict";

const command = [
  "echo 'open http://127.0.0.1:6006/runs?id=1, then wait'",
  "for i in 1 2 3; do echo \"needle $i\"; done",
  "head -c 3000 /dev/zero | tr '\\0' w; echo",
  "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); printf '\\rwarming up %d' $i; done >&2",
  "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf '\\rstep %d of 3000' $i >&2; sleep 0.1; done",
].join("\n");

export default async function progressLog(fixture) {
  const { page } = fixture;
  const { name, password, token } = await fixture.newUser();
  await fixture.createSession(name, password);
  const { id } = await fixture.request("POST", "/jobs", fixture.job("progress", command), token);
  await fixture.waitForState(id, "RUNNING");
  await fixture.go(`/jobs/${name}/progress`);
  await page.getByLabel(fixture.localized("Standard error", "标准错误"), { exact: true }).getByText(/^step \d+ of 3000$/).waitFor();
  await fixture.tab("Logs", "日志").click();
  const log = page.getByRole("log");
  await progressBarMoves(fixture, log);
  await fixture.screenshot("log-progress");
  await longLineWraps(fixture, log);

  const link = log.getByRole("link", { name: "http://127.0.0.1:6006/runs?id=1", exact: true });
  assert.equal(await link.getAttribute("href"), "http://127.0.0.1:6006/runs?id=1");
  assert.equal(await link.getAttribute("target"), "_blank");

  const search = fixture.field("Search the log", "搜索日志");
  await search.fill("needle");
  const next = page.getByRole("button", { name: fixture.localized("Next match", "下一个匹配") });
  const previous = page.getByRole("button", { name: fixture.localized("Previous match", "上一个匹配") });
  await next.click();
  await log.locator(".marked").getByText("needle 1").waitFor();
  await next.click();
  await log.locator(".marked").getByText("needle 2").waitFor();
  await previous.click();
  await log.locator(".marked").getByText("needle 1").waitFor();
  await page.getByText(fixture.localized("Standard error", "标准错误"), { exact: true }).first().click();
  await log.getByText("needle 1").waitFor({ state: "detached" });
  await progressBarMoves(fixture, log);
  await fixture.requestAsAdmin("POST", `/jobs/${id}/stop?graceSeconds=0`);
}

async function progressBarMoves({ page }, log) {
  const bar = log.getByText(/^step \d+ of 3000$/).first();
  await bar.waitFor();
  const before = Number((await bar.innerText()).split(" ")[1]);
  await page.waitForFunction((least) => Number(/step (\d+) of 3000/.exec(document.querySelector("[role=log]").innerText)?.[1] ?? 0) > least, before);
}

/** After a click, a line that is wider than the window is wrapped to several lines; after another click, it is one line again. */
async function longLineWraps(fixture, log) {
  const { page } = fixture;
  const wrap = fixture.button("Wrap lines", "自动换行");
  const line = log.getByText(/^w{100}/).first();
  await line.waitFor();
  const { height } = await line.boundingBox();
  await wrap.click();
  await page.locator("[role=log].wrapped").waitFor();
  await line.waitFor();
  assert.ok((await line.boundingBox()).height > 2 * height);
  await progressBarMoves(fixture, log);
  await wrap.click();
  await page.locator("[role=log].wrapped").waitFor({ state: "detached" });
  await line.waitFor();
  assert.equal((await line.boundingBox()).height, height);
}
