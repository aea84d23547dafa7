import {
  ClusterOutlined,
  CodeOutlined,
  HomeOutlined,
  PlusCircleOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
  UnorderedListOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { Menu } from "antd";
import { useLocation } from "wouter";
import { useTexts } from "../i18n/language";
import { useMe } from "./session";
import { frameTexts } from "./texts";

/** The menu on the left. Calls `chosen` after the user has selected an entry. */
export function MainMenu(props: { chosen?: () => void }) {
  const t = useTexts(frameTexts);
  const { admin } = useMe();
  const [location, navigate] = useLocation();
  const items = [
    { key: "/", icon: <HomeOutlined />, label: t.home },
    { key: "/jobs", icon: <UnorderedListOutlined />, label: t.jobs },
    { key: "/submit", icon: <PlusCircleOutlined />, label: t.submit },
    { key: "/images", icon: <CodeOutlined />, label: t.images },
    { key: "/cluster", icon: <ClusterOutlined />, label: t.cluster },
    ...(admin ? [{ key: "/admin", icon: <SettingOutlined />, label: t.admin }] : []),
    { key: "/account", icon: <UserOutlined />, label: t.account },
    { key: "/help", icon: <QuestionCircleOutlined />, label: t.help },
  ];
  const here = "/" + (location.split("/")[1] ?? "");
  return (
    <Menu
      mode="inline"
      selectedKeys={[here]}
      items={items.map((item) => ({ ...item, label: linked(item.key, item.label) }))}
      onClick={({ key, domEvent }) => {
        if (!hasModifier(domEvent)) {
          domEvent.preventDefault();
          navigate(key);
          props.chosen?.();
        }
      }}
    />
  );
}

/** A real link, so that users can open it in another tab. */
function linked(to: string, label: string) {
  return <a href={to}>{label}</a>;
}

function hasModifier(event: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey;
}
