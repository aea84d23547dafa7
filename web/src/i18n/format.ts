import { useMemo } from "react";
import { useLanguage, type Language } from "./language";
import { bytesText, sizeText } from "./size";

/** Formats times, numbers and sizes for a language. */
export interface Formats {
  readonly time: (millis: number) => string;
  readonly day: (millis: number) => string;
  readonly number: (value: number) => string;
  /** Shows more decimals for values below 10. */
  readonly hours: (value: number) => string;
  readonly duration: (millis: number) => string;
  readonly memory: (megabytes: number) => string;
  readonly bytes: (bytes: number) => string;
}

const tags: Record<Language, string> = { en: "en-GB", zh: "zh-CN" };
const cache = new Map<Language, Formats>();

export function formatsOf(language: Language): Formats {
  const known = cache.get(language);
  if (known) {
    return known;
  }
  const time = new Intl.DateTimeFormat(tags[language], { dateStyle: "medium", timeStyle: "medium" });
  const day = new Intl.DateTimeFormat(tags[language], { dateStyle: "medium" });
  const number = new Intl.NumberFormat(tags[language], { maximumFractionDigits: 1 });
  const few = new Intl.NumberFormat(tags[language], { maximumFractionDigits: 3 });
  const formats: Formats = {
    time: (millis) => time.format(millis),
    day: (millis) => day.format(millis),
    number: (value) => number.format(value),
    hours: (value) => (value < 10 ? few : number).format(value),
    duration,
    memory: (megabytes) => sizeText(megabytes, (value) => number.format(value)),
    bytes: (bytes) => bytesText(bytes, (value) => number.format(value)),
  };
  cache.set(language, formats);
  return formats;
}

export function useFormats(): Formats {
  const { language } = useLanguage();
  return useMemo(() => formatsOf(language), [language]);
}

/** Returns `1d 02:03:04`, the same in both languages, so that values in a column are easy to compare. */
function duration(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const clock = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days > 0 ? `${days}d ${clock}` : clock;
}
