// Fails on visible text outside of a texts.ts, which would exist in one language only, and on unused texts.
import ts from "typescript";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { unusedTexts } from "./unused-texts.mjs";

const source = fileURLToPath(new URL("../src", import.meta.url));
const shownAttributes = new Set([
  "label", "title", "placeholder", "alt", "tooltip", "description", "message", "extra", "help", "content", "okText",
  "cancelText", "subTitle", "header", "footer", "emptyText", "aria-label", "aria-description", "addonBefore", "addonAfter",
  "prefix", "suffix", "checkedChildren", "unCheckedChildren",
]);
/** Product names are the same in every language. */
const names = new Set(["Trainyard"]);
const letters = /\p{L}{2,}/u;
const chinese = /\p{Script=Han}/u;

const faults = [];
const files = [];
for (const file of await readdir(source, { recursive: true })) {
  if (/\.tsx?$/.test(file)) {
    const text = await readFile(join(source, file), "utf8");
    files.push(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS));
  }
}
files.filter(({ fileName }) => !isLanguageFile(fileName)).forEach(check);
faults.push(...unusedTexts(files));
for (const fault of faults) {
  console.error(fault);
}
process.exit(faults.length ? 1 : 0);

function isLanguageFile(file) {
  return /(^|[/\\])([\w-]*texts|texts[/\\][\w-]+)\.tsx?$/i.test(file) || /(^|[/\\])help[/\\]pages[/\\]/.test(file);
}

function check(file) {
  visit(file);
  function visit(node) {
    if (ts.isJsxText(node)) {
      report(node, node.text);
    } else if (ts.isJsxAttribute(node) && shownAttributes.has(node.name.getText())) {
      for (const literal of literals(node.initializer)) report(literal, literal.text);
    } else if (ts.isPropertyAssignment(node) && shownAttributes.has(nameOf(node.name))) {
      for (const literal of literals(node.initializer)) report(literal, literal.text);
    } else if (ts.isJsxExpression(node) && node.parent && ts.isJsxElement(node.parent)) {
      for (const literal of literals(node.expression)) report(literal, literal.text);
    } else if (ts.isStringLiteralLike(node) && chinese.test(node.text)) {
      report(node, node.text);
    }
    ts.forEachChild(node, visit);
  }
  function report(node, text) {
    if (letters.test(text) && !names.has(text.trim())) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      faults.push(`${relative(".", join("src", file.fileName))}:${line + 1}: text outside of a texts.ts: ${text.trim()}`);
    }
  }
}

/** Returns the string literals that an expression may evaluate to. */
function literals(node) {
  if (!node) return [];
  if (ts.isJsxExpression(node)) return literals(node.expression);
  if (ts.isStringLiteralLike(node)) return [node];
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    return isComparison(node.operatorToken.kind) ? [] : [...literals(node.left), ...literals(node.right)];
  }
  if (ts.isParenthesizedExpression(node)) return literals(node.expression);
  if (ts.isTemplateExpression(node)) return [node.head, ...node.templateSpans.map((span) => span.literal)];
  return [];
}

function isComparison(kind) {
  return kind >= ts.SyntaxKind.LessThanToken && kind <= ts.SyntaxKind.ExclamationEqualsEqualsToken;
}

function nameOf(name) {
  return ts.isStringLiteralLike(name) || ts.isIdentifier(name) ? name.text : "";
}
