import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import type { Locale } from "antd/es/locale";
import { savePreference, readPreference } from "../app/preferences";
import { setServerMessages } from "../api/messages";
import type { Texts, TextTable } from "./texts";

export type Language = "en" | "zh";

interface LanguageState {
  readonly language: Language;
  /** Texts of Ant Design's components; undefined for English, the default language of Ant Design. */
  readonly locale: Locale | undefined;
  readonly setLanguage: (language: Language) => void;
}

const LanguageContext = createContext<LanguageState | null>(null);

/** Returns the language that the user chose before, or else the preferred language of the browser. */
export function firstLanguage(): Language {
  const chosen = readPreference("language");
  if (chosen === "en" || chosen === "zh") {
    return chosen;
  }
  return navigator.languages.find((one) => /^(en|zh)\b/i.test(one))?.startsWith("zh") ? "zh" : "en";
}

/** Loads the Chinese texts of Ant Design and of the server; English needs none. */
export async function prepare(language: Language): Promise<Locale | undefined> {
  if (language === "en") {
    return undefined;
  }
  const [locale, messages] = await Promise.all([import("antd/es/locale/zh_CN"), import("server-messages:zh")]);
  setServerMessages(messages.default);
  return locale.default;
}

export function LanguageProvider(props: { first: Language; locale: Locale | undefined; children: ReactNode }) {
  const [current, setCurrent] = useState({ language: props.first, locale: props.locale });
  const setLanguage = useCallback((language: Language) => {
    savePreference("language", language);
    void prepare(language).then((locale) => setCurrent({ language, locale }));
  }, []);
  useEffect(() => {
    document.documentElement.lang = current.language === "zh" ? "zh-CN" : "en";
  }, [current.language]);
  const state = useMemo(() => ({ ...current, setLanguage }), [current, setLanguage]);
  return <LanguageContext value={state}>{props.children}</LanguageContext>;
}

export function useLanguage(): LanguageState {
  const state = use(LanguageContext);
  if (!state) {
    throw new Error("no LanguageProvider");
  }
  return state;
}

/** `const t = useTexts(jobTexts)`, then `t.title`. */
export function useTexts<T extends TextTable>(texts: Texts<T>): T {
  return texts[useLanguage().language] as T;
}
