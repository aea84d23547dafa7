// Parses a Java properties file and keeps the messages that the page can show.

/** The API never returns messages of the command line or of the server start, except descriptions of settings. */
const elsewhere = /^(cli\.|config\.(?!setting\.))/;

export function serverMessages(text) {
  const messages = {};
  for (const line of logicalLines(text)) {
    const [, key, value] = /^((?:\\.|[^\s:=\\])+)\s*[=:]?\s*(.*)$/s.exec(line) ?? [];
    if (key && !elsewhere.test(key)) {
      messages[unescaped(key)] = unescaped(value);
    }
  }
  return messages;
}

function logicalLines(text) {
  const lines = [];
  let open = "";
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trimStart();
    if (!open && (line === "" || /^[#!]/.test(line))) {
      continue;
    }
    const continues = /(^|[^\\])(\\\\)*\\$/.test(line);
    open += continues ? line.slice(0, -1) : line;
    if (!continues) {
      lines.push(open);
      open = "";
    }
  }
  return open ? [...lines, open] : lines;
}

function unescaped(text) {
  const short = { n: "\n", t: "\t", r: "\r", f: "\f" };
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex, char) =>
    hex ? String.fromCharCode(parseInt(hex, 16)) : (short[char] ?? char),
  );
}
