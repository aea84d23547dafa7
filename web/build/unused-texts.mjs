// Texts that no page shows: nobody would see that they have become wrong.
import ts from "typescript";

/** `files` are all source files, parsed; answers one line per key that nobody reads. */
export function unusedTexts(files) {
  const tables = files.flatMap(tablesOf);
  for (const file of files) {
    for (const table of tables) {
      if (file.text.includes(table.name)) markUsed(file, table);
    }
  }
  return tables.flatMap((table) => [...table.unused].map((key) => `src/${table.file.fileName}: nobody reads ${table.name}.${key}`));
}

/** `export const jobTexts = texts({ … }, { … })` */
function tablesOf(file) {
  const found = [];
  const visit = (node) => {
    const call = ts.isVariableDeclaration(node) ? node.initializer : undefined;
    if (call && ts.isCallExpression(call) && call.expression.getText(file) === "texts" && ts.isObjectLiteralExpression(call.arguments[0])) {
      const keys = call.arguments[0].properties.flatMap(({ name }) => (name ? [name.text] : []));
      found.push({ file, name: node.name.text, unused: new Set(keys) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What is read of a table through the names that it has in a file: `t.title`, `{ title } = …`, `t[state]` for all of them. */
function markUsed(file, { name, unused }) {
  const names = new Set([name, ...namesOf(file, name)]);
  const isTable = (node) => {
    const last = ts.isPropertyAccessExpression(node) ? node.name : node;
    return ts.isIdentifier(last) && names.has(last.text);
  };
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && isTable(node.expression)) {
      unused.delete(node.name.text);
    } else if (ts.isElementAccessExpression(node) && isTable(node.expression)) {
      if (ts.isStringLiteralLike(node.argumentExpression)) unused.delete(node.argumentExpression.text);
      else unused.clear();
    } else if (ts.isBindingElement(node)) {
      unused.delete((node.propertyName ?? node.name).getText(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Variables that come from `useTexts(jobTexts)`, directly or by `useRef`, and parameters that are such texts by their type. */
function namesOf(file, table) {
  const names = [];
  const visit = (node) => {
    const value = ts.isVariableDeclaration(node) && node.initializer ? node.initializer.getText(file) : "";
    const type = (ts.isParameter(node) || ts.isPropertySignature(node)) && node.type ? node.type.getText(file) : "";
    const [, other] = /^(?:useRef\()?(\w+)(?:\.current)?\)?$/.exec(value) ?? [];
    if ((value.includes(`(${table})`) || names.includes(other) || /Texts\b/.test(type)) && ts.isIdentifier(node.name)) {
      names.push(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
