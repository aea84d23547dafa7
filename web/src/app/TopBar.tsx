import { BulbOutlined, GlobalOutlined, LogoutOutlined, UserOutlined } from "@ant-design/icons";
import { App, Button, Dropdown } from "antd";
import { useLocation } from "wouter";
import { useErrorText } from "../api/ErrorAlert";
import { useLanguage, useTexts } from "../i18n/language";
import { useSession } from "./session";
import { useTheme, type Choice } from "./theme";
import { frameTexts } from "./texts";
import { useIsNarrow } from "./width";

/** Language switch, theme switch and user menu. */
export function TopBar() {
  const t = useTexts(frameTexts);
  const { me } = useSession();
  const [location, navigate] = useLocation();
  return (
    <div className="top-right">
      <LanguageSwitch />
      <ThemeSwitch />
      {me ? (
        <UserMenu />
      ) : (
        location !== "/signin" && (
          <Button type="primary" href="/signin" onClick={(event) => (event.preventDefault(), navigate("/signin"))}>
            {t.login}
          </Button>
        )
      )}
    </div>
  );
}

function LanguageSwitch() {
  const t = useTexts(frameTexts);
  const { language, setLanguage } = useLanguage();
  return (
    <Button
      type="text"
      icon={<GlobalOutlined />}
      lang={language === "zh" ? "en" : "zh-CN"}
      title={t.languageHint}
      onClick={() => setLanguage(language === "zh" ? "en" : "zh")}
    >
      {t.language}
    </Button>
  );
}

function ThemeSwitch() {
  const t = useTexts(frameTexts);
  const { choice, choose } = useTheme();
  const items = [
    { key: "light", label: t.lightTheme },
    { key: "dark", label: t.darkTheme },
    { key: "system", label: t.systemTheme },
  ];
  return (
    <Dropdown
      trigger={["click"]}
      menu={{ items, selectable: true, selectedKeys: [choice], onClick: ({ key }) => choose(key as Choice) }}
    >
      <Button type="text" icon={<BulbOutlined />} aria-label={t.theme} title={t.theme} />
    </Dropdown>
  );
}

function UserMenu() {
  const t = useTexts(frameTexts);
  const errorText = useErrorText();
  const { me, signOut } = useSession();
  const { message } = App.useApp();
  const [, navigate] = useLocation();
  const narrow = useIsNarrow();
  const leave = () =>
    signOut().then(
      () => navigate("/"),
      (error: unknown) => message.error(errorText(error)),
    );
  const items = [
    { key: "account", icon: <UserOutlined />, label: t.account, onClick: () => navigate("/account") },
    { type: "divider" as const },
    { key: "out", icon: <LogoutOutlined />, label: t.signOut, onClick: () => void leave() },
  ];
  return (
    <Dropdown trigger={["click"]} menu={{ items }}>
      <Button type="text" icon={<UserOutlined />} aria-label={t.user(me?.user ?? "")} className="user">
        {narrow ? null : <span className="user-name">{me?.user}</span>}
      </Button>
    </Dropdown>
  );
}
