import assert from "node:assert/strict";
import { test } from "node:test";
import { serverMessages } from "../build/server-messages.mjs";

test("serverMessages_readsPropertiesLikeJava", () => {
  const text = "# comment\na.b = x \\\n   y\ncli.x = no\nconfig.y = no\nconfig.setting.z = yes\nu\\:v: \\u4e2d\\n\n";
  assert.deepEqual(serverMessages(text), { "a.b": "x y", "config.setting.z": "yes", "u:v": "中\n" });
});
