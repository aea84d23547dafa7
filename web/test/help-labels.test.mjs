// The labels that the help pages name in backticks must exist in the page, in the same language.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fitTexts } from "../src/submit/fit-texts";

const source = join(process.cwd(), "src");
const help = join(source, "help/pages");
/** File names, which look like labels. */
const otherNames = new Set(["Dockerfile"]);
const isLabel = {
  en: (text) => /^[A-Z][a-z]+(:? [A-Za-z]+)*$/.test(text) && !otherNames.has(text),
  zh: (text) => /^\p{Script=Han}[\p{Script=Han}\w ]*$/u.test(text),
};

/** Returns all literals of the texts, and a label that is composed from several. */
async function labels() {
  const all = new Set([fitTexts.en.fit(0, null, null), fitTexts.zh.fit(0, null, null)]);
  for (const file of await readdir(source, { recursive: true })) {
    if (/texts(\/[\w-]+)?\.tsx?$/.test(file)) {
      for (const [, text] of (await readFile(join(source, file), "utf8")).matchAll(/"([^"\n]+)"/g)) {
        all.add(text);
      }
    }
  }
  return all;
}

for (const language of ["en", "zh"]) {
  test(`help_${language}_namesOnlyExistingLabels`, async () => {
    const known = await labels();
    const files = (await readdir(help)).filter((file) => file.endsWith(`.${language}.md`));
    let checked = 0;
    for (const file of files) {
      const prose = (await readFile(join(help, file), "utf8")).replace(/^```[\s\S]*?^```/gm, "");
      for (const [, name] of prose.matchAll(/`([^`\n]+)`/g)) {
        if (isLabel[language](name)) {
          checked++;
          assert.ok(known.has(name), `${file} names "${name}", which no text of the page has`);
        }
      }
    }
    assert.ok(checked > 10, `${checked} labels found`);
  });
}
