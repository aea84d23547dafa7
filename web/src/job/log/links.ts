/** A part of a text; `href` if it is an address that can be opened. */
export interface LinkedText {
  readonly text: string;
  readonly href?: string;
}

const address = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]+/gi;

/** Splits a text by the web addresses in it. Punctuation after an address does not belong to it. */
export function withLinks(text: string): LinkedText[] {
  const found: LinkedText[] = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    const href = trimmed(match[0]);
    if (!URL.canParse(href)) {
      continue;
    }
    if (match.index > at) {
      found.push({ text: text.slice(at, match.index) });
    }
    found.push({ text: href, href });
    at = match.index + href.length;
  }
  if (at < text.length || found.length === 0) {
    found.push({ text: text.slice(at) });
  }
  return found;
}

function trimmed(address: string): string {
  let end = address.length;
  while (end > 0) {
    const last = address[end - 1]!;
    const unopened = (last === ")" && !address.slice(0, end).includes("(")) || (last === "]" && !address.slice(0, end).includes("["));
    if (!unopened && !".,;:!?*".includes(last)) {
      break;
    }
    end--;
  }
  return address.slice(0, end);
}
