// Finds texts that no page shows: errors in them would not be noticed.
import ts from "typescript";

/** Returns one message per unused key; `files` are all parsed source files. */
export function unusedTexts(files) {
  const tables = files.flatMap(tablesOf);
  for (const file of files) {
    for (const table of tables) {
      if (file.text.includes(table.name)) markUsed(file, table);
    }
  }
  return tables.flatMap((table) => [...table.unused].map((key) => `src/${table.file.fileName}: unused text ${table.name}.${key}`));
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

/** Marks the keys of a table that a file reads: `t.title` and `{ title } = …` read one key, `t[state]` all of them. */
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

/** Returns the variables that hold `useTexts(jobTexts)`, directly or in a `useRef`, and parameters whose type is such a table. */
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
