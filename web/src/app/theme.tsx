import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { theme as antd, type ThemeConfig } from "antd";
import { savePreference, readPreference } from "./preferences";

export type Choice = "system" | "light" | "dark";

interface ThemeState {
  readonly choice: Choice;
  readonly dark: boolean;
  readonly choose: (choice: Choice) => void;
}

const ThemeContext = createContext<ThemeState | null>(null);
const system = matchMedia("(prefers-color-scheme: dark)");

/** A compact theme: small text, little space, few borders. Contrast meets WCAG AA. */
export function themeFor(dark: boolean): ThemeConfig {
  return {
    algorithm: dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: true,
    hashed: false,
    token: {
      colorPrimary: dark ? "#4096ff" : "#1668dc",
      colorLink: dark ? "#69b1ff" : "#0958d9",
      colorSuccess: dark ? "#49aa19" : "#237804",
      colorError: dark ? "#ff7875" : "#cf1322",
      colorWarning: dark ? "#d89614" : "#945600",
      // The library would derive gray from these dark colors.
      ...(dark ? {} : { colorSuccessBg: "#f2f9ec", colorSuccessBorder: "#b5d99c", colorWarningBg: "#fff8e6", colorWarningBorder: "#f0d08a", colorErrorBg: "#fff1f0", colorErrorBorder: "#ffccc7" }),
      colorTextSecondary: dark ? "rgba(255,255,255,0.70)" : "rgba(0,0,0,0.68)",
      colorTextTertiary: dark ? "rgba(255,255,255,0.60)" : "rgba(0,0,0,0.60)",
      colorTextDescription: dark ? "rgba(255,255,255,0.65)" : "rgba(0,0,0,0.62)",
      colorTextPlaceholder: dark ? "rgba(255,255,255,0.55)" : "rgba(0,0,0,0.57)",
      colorBgLayout: dark ? "#0e1116" : "#f5f7fa",
      colorBgContainer: dark ? "#161b22" : "#ffffff",
      colorBgElevated: dark ? "#1c222b" : "#ffffff",
      borderRadius: 6,
      fontSize: 13,
      controlHeight: 30,
      fontFamily:
        "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans', sans-serif",
      fontFamilyCode: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
      motionDurationMid: "0.12s",
      motionDurationSlow: "0.16s",
    },
    components: {
      // Dark enough for white text, unlike the lighter blue that text on dark surfaces needs.
      Button: { colorPrimary: "#1668dc", colorPrimaryHover: "#1a70e6", colorPrimaryActive: "#0f52b5" },
      Layout: { headerHeight: 48, headerPadding: "0 16px", siderBg: dark ? "#161b22" : "#ffffff", headerBg: dark ? "#161b22" : "#ffffff" },
      Menu: { itemHeight: 34, itemMarginBlock: 2, activeBarBorderWidth: 0, ...(dark ? { itemSelectedColor: "#91caff" } : {}) },
      Tabs: { itemHoverColor: dark ? "#69b1ff" : "#0958d9", itemActiveColor: dark ? "#91caff" : "#003eb3" },
      Table: { cellPaddingBlockSM: 6, cellPaddingInlineSM: 8, headerBg: dark ? "#1c222b" : "#f7f9fc" },
    },
  };
}

export function ThemeProvider(props: { children: ReactNode }) {
  const [choice, setChoice] = useState<Choice>(() => {
    const chosen = readPreference("theme");
    return chosen === "light" || chosen === "dark" ? chosen : "system";
  });
  const [systemDark, setSystemDark] = useState(system.matches);
  useEffect(() => {
    const follow = () => setSystemDark(system.matches);
    system.addEventListener("change", follow);
    return () => system.removeEventListener("change", follow);
  }, []);
  const dark = choice === "dark" || (choice === "system" && systemDark);
  useEffect(() => {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
  }, [dark]);
  const choose = useCallback((next: Choice) => {
    savePreference("theme", next);
    setChoice(next);
  }, []);
  const state = useMemo(() => ({ choice, dark, choose }), [choice, dark, choose]);
  return <ThemeContext value={state}>{props.children}</ThemeContext>;
}

export function useTheme(): ThemeState {
  const state = use(ThemeContext);
  if (!state) {
    throw new Error("no ThemeProvider");
  }
  return state;
}
