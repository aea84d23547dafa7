import assert from "node:assert/strict";
import { test } from "node:test";
import { lastState, plain, visible, withBackspaces, withoutSequences } from "../src/job/log/line-text";

test("lastState_carriageReturns_keepTheLastTextThatIsNotEmpty", () => {
  assert.equal(lastState("no return"), "no return");
  assert.equal(lastState("10%\r50%\r100%"), "100%");
  assert.equal(lastState("100%\r"), "100%");
  assert.equal(lastState("100%\r\u001b[K"), "100%");
  assert.equal(lastState("\r\r"), "");
});

test("withBackspaces_eraseTheCharacterBefore", () => {
  assert.equal(withBackspaces("abc\b\bx"), "ax");
  assert.equal(withBackspaces("\b\ba"), "a");
  assert.equal(withBackspaces("😀\b!"), "!");
});

test("visible_hiddenCharacters_areShown", () => {
  assert.equal(visible("a\tb"), "a\tb");
  assert.equal(visible("\u0000\u001b\u007f"), "\u2400\u241b\u2421");
  assert.equal(visible("\u200fx\ufeff"), "\u27e8U+200F\u27e9x\u27e8U+FEFF\u27e9");
});

test("plain_combinesAllSteps", () => {
  assert.equal(withoutSequences("\u001b[1mbold\u001b[0m"), "bold");
  assert.equal(plain("first\r\u001b[32msecomd\b\bnd\u001b[0m"), "second");
});
