import { lazy, Suspense, useState, type ReactNode } from "react";
import { MenuOutlined } from "@ant-design/icons";
import { Button, Layout } from "antd";
import { Link, useLocation } from "wouter";
import { useTexts } from "../i18n/language";
import { ConnectionNotice } from "../events/ConnectionNotice";
import { MainMenu } from "./menu";
import { savePreference, readPreference } from "./preferences";
import { useSession } from "./session";
import { Logo } from "./Logo";
import { Shortcuts } from "./Shortcuts";
import { TopBar } from "./TopBar";
import { frameTexts } from "./texts";
import { useIsNarrow } from "./width";

/** Loaded on demand because only narrow windows need it. */
const MenuDrawer = lazy(() => import("./MenuDrawer"));
const Contact = lazy(() => import("../components/Contact"));
const CurrentAnnouncements = lazy(() => import("../home/CurrentAnnouncements"));

/** Menu, top bar and the page. The menu is shown only to signed-in users. */
export function Frame(props: { children: ReactNode }) {
  const t = useTexts(frameTexts);
  const { me } = useSession();
  const narrow = useIsNarrow();
  const [location] = useLocation();
  const [open, setOpen] = useState(false);
  const [collapsed, setCollapsed] = useState(readPreference("menu") === "collapsed");
  const collapse = (now: boolean) => {
    savePreference("menu", now ? "collapsed" : "open");
    setCollapsed(now);
  };
  return (
    <Layout className="frame">
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <Layout.Header className="top" role="banner">
        {me && narrow && (
          <Button type="text" icon={<MenuOutlined />} aria-label={t.menu} onClick={() => setOpen(true)} />
        )}
        <Link href="/" className="brand">
          <Logo />
          <span>Trainyard</span>
        </Link>
        <TopBar />
      </Layout.Header>
      <Layout hasSider={Boolean(me) && !narrow}>
        {me && !narrow && (
          <Layout.Sider
            width={200}
            collapsedWidth={56}
            collapsible
            collapsed={collapsed}
            onCollapse={collapse}
            theme="light"
            className="side"
          >
            <nav aria-label={t.menu}>
              <MainMenu />
            </nav>
          </Layout.Sider>
        )}
        {me && narrow && (
          <Suspense>
            <MenuDrawer open={open} close={() => setOpen(false)} />
          </Suspense>
        )}
        <Layout.Content className={me ? "content" : "content public"} id="content" role="main" tabIndex={-1}>
          <ConnectionNotice />
          {me && <Shortcuts />}
          {location === "/jobs" && (
            <Suspense>
              <CurrentAnnouncements />
            </Suspense>
          )}
          {props.children}
          {location !== "/signup" && (
            <footer className="footer">
              <Suspense>
                <Contact />
              </Suspense>
            </footer>
          )}
        </Layout.Content>
      </Layout>
    </Layout>
  );
}
