import assert from "node:assert/strict";
import { test } from "node:test";
import { withLinks } from "../src/job/log/links";

test("withLinks_addressInALine_isALinkWithoutTheFollowingPunctuation", () => {
  assert.deepEqual(withLinks("open (http://127.0.0.1:8888/lab?token=a)."), [
    { text: "open (" },
    { text: "http://127.0.0.1:8888/lab?token=a", href: "http://127.0.0.1:8888/lab?token=a" },
    { text: ")." },
  ]);
});

test("withLinks_otherSchemes_areText", () => {
  assert.deepEqual(withLinks("javascript:alert(1) ftp://x"), [{ text: "javascript:alert(1) ftp://x" }]);
});
