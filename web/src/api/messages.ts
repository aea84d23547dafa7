import type { Language } from "../i18n/language";

/** Something the server says: a code with values, and usually the English sentence. */
export interface Told {
  readonly code?: string | null;
  readonly message?: string | null;
  readonly params?: Readonly<Record<string, unknown>> | null;
}

let chinese: Readonly<Record<string, string>> = {};

export function learnServerWords(words: Readonly<Record<string, string>>): void {
  chinese = words;
}

/** The sentence in this language; one that only a newer server knows is said in English. */
export function say(told: Told, language: Language): string {
  const template = language === "zh" && told.code ? chinese[told.code] : undefined;
  if (template === undefined) {
    return told.message ?? told.code ?? "";
  }
  return fill(template, told.params ?? {}, language);
}

/** Why a job or an attempt is as it is; empty if nobody said. */
export function reasonOf(
  one: { readonly reason: string | null; readonly reasonCode: string | null; readonly reasonParams: Told["params"] },
  language: Language,
): string {
  return say({ code: one.reasonCode, message: one.reason, params: one.reasonParams }, language);
}

/** As dev.trainyard.model.Messages: {name}, {name|one|many}, {name|none|one|many}, # for the value. */
const slot = /\{(\w+)(?:\|([^|}]*)\|([^|}]*)(?:\|([^|}]*))?)?\}/g;

function fill(template: string, params: Readonly<Record<string, unknown>>, language: Language): string {
  return template.replace(slot, (_, name: string, first?: string, second?: string, third?: string) => {
    const value = text(params[name] ?? name, language);
    if (first === undefined || second === undefined) {
      return value;
    }
    const cases = third === undefined ? [second, first, second] : [first, second, third];
    return (value === "0" ? cases[0] : value === "1" ? cases[1] : cases[2])!.replaceAll("#", value);
  });
}

function text(value: unknown, language: Language): string {
  return isTold(value) ? say(value, language) : String(value);
}

function isTold(value: unknown): value is Told {
  return typeof value === "object" && value !== null && "code" in value;
}
