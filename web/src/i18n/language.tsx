import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import type { Locale } from "antd/es/locale";
import { remember, remembered } from "../app/preferences";
import { learnServerWords } from "../api/messages";
import type { Texts, Words } from "./texts";

export type Language = "en" | "zh";

interface Speech {
  readonly language: Language;
  /** What Ant Design's own components say; it is English by itself. */
  readonly locale: Locale | undefined;
  readonly speak: (language: Language) => void;
}

const SpeechContext = createContext<Speech | null>(null);

/** What was chosen before, else what the browser prefers. */
export function firstLanguage(): Language {
  const chosen = remembered("language");
  if (chosen === "en" || chosen === "zh") {
    return chosen;
  }
  return navigator.languages.find((one) => /^(en|zh)\b/i.test(one))?.startsWith("zh") ? "zh" : "en";
}

/** English is at hand; the words of Chinese that others bring are fetched first. */
export async function prepare(language: Language): Promise<Locale | undefined> {
  if (language === "en") {
    return undefined;
  }
  const [locale, words] = await Promise.all([import("antd/es/locale/zh_CN"), import("server-words:zh")]);
  learnServerWords(words.default);
  return locale.default;
}

export function LanguageProvider(props: { first: Language; locale: Locale | undefined; children: ReactNode }) {
  const [spoken, setSpoken] = useState({ language: props.first, locale: props.locale });
  const speak = useCallback((language: Language) => {
    remember("language", language);
    void prepare(language).then((locale) => setSpoken({ language, locale }));
  }, []);
  useEffect(() => {
    document.documentElement.lang = spoken.language === "zh" ? "zh-CN" : "en";
  }, [spoken.language]);
  const speech = useMemo(() => ({ ...spoken, speak }), [spoken, speak]);
  return <SpeechContext value={speech}>{props.children}</SpeechContext>;
}

export function useSpeech(): Speech {
  const speech = use(SpeechContext);
  if (!speech) {
    throw new Error("no LanguageProvider around");
  }
  return speech;
}

/** `const t = useTexts(jobTexts)`, then `t.title`. */
export function useTexts<T extends Words>(texts: Texts<T>): T {
  return texts[useSpeech().language] as T;
}
