import { plainSize } from "../i18n/size";
import type { Language } from "../i18n/language";

/** A message of the server: a code with parameters, and usually the English text. */
export interface ServerMessage {
  readonly code?: string | null;
  readonly message?: string | null;
  readonly params?: Readonly<Record<string, unknown>> | null;
}

let chinese: Readonly<Record<string, string>> = {};

export function setServerMessages(words: Readonly<Record<string, string>>): void {
  chinese = words;
}

/** Returns the message in the given language, or in English if this page does not know its code. */
export function messageText(message: ServerMessage, language: Language): string {
  const template = language === "zh" && message.code ? chinese[message.code] : undefined;
  if (template === undefined) {
    return message.message ?? message.code ?? "";
  }
  return fill(template, message.params ?? {}, language);
}

/** Returns the reason for the state of a job or an attempt; empty if there is none. */
export function reasonOf(
  one: { readonly reason: string | null; readonly reasonCode: string | null; readonly reasonParams: ServerMessage["params"] },
  language: Language,
): string {
  return messageText({ code: one.reasonCode, message: one.reason, params: one.reasonParams }, language);
}

/**
 * Returns the text that a list shows for a job in addition to the state: the diagnosis of a failure or, without a diagnosis, the
 * reason. `full` contains both, so that the exit code is included.
 */
export function failureOf(
  job: Parameters<typeof reasonOf>[0] & { readonly failure: ServerMessage | null },
  language: Language,
): { readonly short: string; readonly full: string } {
  const reason = job.reasonCode === "end.succeeded" ? "" : reasonOf(job, language);
  const failure = job.failure ? capitalized(messageText(job.failure, language)) : "";
  return failure ? { short: failure, full: reason ? failure + bracketed(reason, language) : failure } : { short: reason, full: reason };
}

/** Returns the text in the parentheses of the language, so that it can be appended to another text. */
export function bracketed(text: string, language: Language): string {
  return language === "zh" ? `\uFF08${text}\uFF09` : ` (${text})`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Same syntax as dev.trainyard.model.Messages: {name}, {name:size} (in MiB), {name|one|many}, {name|none|one|many}, # for the value. */
const slot = /\{(\w+)(?:(:size)|\|([^|}]*)\|([^|}]*)(?:\|([^|}]*))?)?\}/g;

function fill(template: string, params: Readonly<Record<string, unknown>>, language: Language): string {
  const size = sizesOf(template, params);
  return template.replace(slot, (_, name: string, isSize?: string, first?: string, second?: string, third?: string) => {
    const param = params[name] ?? name;
    const value = isSize && typeof param === "number" ? size(param) : text(param, language);
    if (first === undefined || second === undefined) {
      return value;
    }
    const cases = third === undefined ? [second, first, second] : [first, second, third];
    return (value === "0" ? cases[0] : value === "1" ? cases[1] : cases[2])!.replaceAll("#", value);
  });
}

/** Returns the format for the sizes in a message: the usual format, or MiB if the usual format would show different sizes as equal. */
function sizesOf(template: string, params: Readonly<Record<string, unknown>>): (megabytes: number) => string {
  const found = [...template.matchAll(slot)].flatMap(([, name, isSize]) => {
    const param = isSize ? params[name!] : null;
    return typeof param === "number" ? [param] : [];
  });
  const ambiguous = new Set(found.map(plainSize)).size < new Set(found).size;
  return ambiguous ? (megabytes) => `${megabytes} MiB` : plainSize;
}

function text(value: unknown, language: Language): string {
  return isServerMessage(value) ? messageText(value, language) : String(value);
}

function isServerMessage(value: unknown): value is ServerMessage {
  return typeof value === "object" && value !== null && "code" in value;
}
