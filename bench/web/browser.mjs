// A Chromium that is signed in to a server as its administrator.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

export async function open() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-extensions"],
  });
}

/** A browser context with an empty cache; `language` is a BCP 47 tag such as zh-CN. */
export async function visitor(browser, server, language = "en-GB") {
  const context = await browser.newContext({ locale: language, viewport: { width: 1360, height: 850 } });
  const password = readFileSync(process.env.PASSWORD_FILE, "utf8").trim();
  const answer = await context.request.post(`${server}/api/v3/sessions`, { data: { user: "admin", password } });
  if (!answer.ok()) throw new Error(`no sign-in: ${answer.status()} ${await answer.text()}`);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => {
    console.error(error);
    process.exitCode = 1;
  });
  return { context, page };
}

/** Prints rows of a Markdown table in the format of the other measurements. */
export function table(...columns) {
  const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);
  row(...columns);
  console.log(`|${"---|".repeat(columns.length)}`);
  return row;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
