import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { theme as antd, type ThemeConfig } from "antd";
import { remember, remembered } from "./preferences";

export type Choice = "system" | "light" | "dark";

interface Look {
  readonly choice: Choice;
  readonly dark: boolean;
  readonly choose: (choice: Choice) => void;
}

const LookContext = createContext<Look | null>(null);
const system = matchMedia("(prefers-color-scheme: dark)");

/** Calm and dense: small text, little space, few borders. Contrast is that of WCAG AA. */
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
      // What the library derives from dark colours is grey.
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
      // White on it is readable, which it is not on the lighter blue that dark surfaces need for text.
      Button: { colorPrimary: "#1668dc", colorPrimaryHover: "#1a70e6", colorPrimaryActive: "#0f52b5" },
      Layout: { headerHeight: 48, headerPadding: "0 16px", siderBg: dark ? "#161b22" : "#ffffff", headerBg: dark ? "#161b22" : "#ffffff" },
      Menu: { itemHeight: 34, itemMarginBlock: 2, activeBarBorderWidth: 0, ...(dark ? { itemSelectedColor: "#91caff" } : {}) },
      Tabs: { itemHoverColor: dark ? "#69b1ff" : "#0958d9", itemActiveColor: dark ? "#91caff" : "#003eb3" },
      Table: { cellPaddingBlockSM: 6, cellPaddingInlineSM: 8, headerBg: dark ? "#1c222b" : "#f7f9fc" },
    },
  };
}

export function LookProvider(props: { children: ReactNode }) {
  const [choice, setChoice] = useState<Choice>(() => {
    const chosen = remembered("theme");
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
    remember("theme", next);
    setChoice(next);
  }, []);
  const look = useMemo(() => ({ choice, dark, choose }), [choice, dark, choose]);
  return <LookContext value={look}>{props.children}</LookContext>;
}

export function useLook(): Look {
  const look = use(LookContext);
  if (!look) {
    throw new Error("no LookProvider around");
  }
  return look;
}
