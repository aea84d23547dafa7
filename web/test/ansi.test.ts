import assert from "node:assert/strict";
import { test } from "node:test";
import { pieces } from "../src/job/log/ansi";

const ESC = "\u001b";

test("pieces_plainLine_isOnePiece", () => {
  assert.deepEqual(pieces("epoch 1"), [{ text: "epoch 1", style: {} }]);
  assert.deepEqual(pieces(""), []);
});

test("pieces_colors_applyUntilReset", () => {
  assert.deepEqual(pieces(`a ${ESC}[31mred${ESC}[0m b`), [
    { text: "a ", style: {} },
    { text: "red", style: { color: 1 } },
    { text: " b", style: {} },
  ]);
  assert.deepEqual(pieces(`${ESC}[1;4;97;44mx`), [{ text: "x", style: { bold: true, underline: true, color: 15, background: 4 } }]);
});

test("pieces_singleAttributes_areReset", () => {
  assert.deepEqual(pieces(`${ESC}[1;31mx${ESC}[22;39my`).at(-1), { text: "y", style: { bold: false, faint: false } });
  assert.deepEqual(pieces(`${ESC}[mx`), [{ text: "x", style: {} }]);
});

test("pieces_extendedColors_becomeHexOrPaletteIndexes", () => {
  const color = (codes: string) => pieces(`${ESC}[${codes}mx`)[0]?.style.color;
  assert.equal(color("38;5;9"), 9);
  assert.equal(color("38;5;16"), "#000000");
  assert.equal(color("38;5;196"), "#ff0000");
  assert.equal(color("38;5;232"), "#080808");
  assert.equal(color("38;2;1;2;300"), "#0102ff");
  assert.deepEqual(pieces(`${ESC}[38;5;196;1mx`)[0]?.style, { color: "#ff0000", bold: true });
});

test("pieces_otherSequences_areDropped", () => {
  assert.deepEqual(pieces(`a${ESC}[2Kb${ESC}]0;title\u0007c${ESC}]8;;javascript:x\u0007d`).map(({ text }) => text).join(""), "abcd");
});

test("pieces_markupAndControlCharacters_stayText", () => {
  assert.deepEqual(pieces("<b>\u0007\u202e"), [{ text: "<b>\u2407\u27e8U+202E\u27e9", style: {} }]);
});
