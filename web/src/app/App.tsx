import { useState } from "react";
import { App as AntApp, ConfigProvider, Spin } from "antd";
import { QueryClientProvider } from "@tanstack/react-query";
import type { Locale } from "antd/es/locale";
import { newQueryClient } from "../api/queries";
import { EventConnection } from "../events/EventConnection";
import { LanguageProvider, useLanguage, type Language } from "../i18n/language";
import { ErrorBoundary } from "./ErrorBoundary";
import { ThemeProvider, themeFor, useTheme } from "./theme";
import { Pages } from "./Pages";
import { SessionProvider } from "./session";

export function App(props: { language: Language; locale: Locale | undefined }) {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <LanguageProvider first={props.language} locale={props.locale}>
        <ThemeProvider>
          <ThemedApp />
        </ThemeProvider>
      </LanguageProvider>
    </QueryClientProvider>
  );
}

function ThemedApp() {
  const { dark } = useTheme();
  const { locale } = useLanguage();
  return (
    // Screen readers do not recognize virtual option lists; few of our lists are long.
    <ConfigProvider virtual={false} theme={themeFor(dark)} button={{ autoInsertSpace: false }} {...(locale ? { locale } : {})}>
      <AntApp>
        <ErrorBoundary>
          <SessionProvider waiting={<Spin fullscreen delay={300} />}>
            <EventConnection />
            <Pages />
          </SessionProvider>
        </ErrorBoundary>
      </AntApp>
    </ConfigProvider>
  );
}
