// Reads a properties file as Java does, and keeps what reaches the page.

/** The command line's own words and those for the server's own start are never said by the API; what settings are for is. */
const elsewhere = /^(cli\.|config\.(?!setting\.))/;

export function serverWords(text) {
  const words = {};
  for (const line of logicalLines(text)) {
    const [, key, value] = /^((?:\\.|[^\s:=\\])+)\s*[=:]?\s*(.*)$/s.exec(line) ?? [];
    if (key && !elsewhere.test(key)) {
      words[unescaped(key)] = unescaped(value);
    }
  }
  return words;
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
