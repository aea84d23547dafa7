/** Replaces the comments of a JSON text, `//` and those between slash and asterisk, by blanks; line breaks are kept. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) {
      const end = endOfComment(text, at);
      parts.push(text.slice(kept, at), text.slice(at, end).replace(/[^\r\n]/g, " "));
      kept = at = end;
    } else {
      at++;
    }
  }
  parts.push(text.slice(kept));
  return parts.join("");
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") {
      at++;
    } else if (text[at] === '"') {
      return at + 1;
    }
  }
  return text.length;
}

function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === "/";
  const end = isLine ? text.indexOf("\n", start) : text.indexOf("*/", start + 2);
  return end < 0 ? text.length : isLine ? end : end + 2;
}
