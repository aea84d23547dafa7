import { Tabs } from "antd";
import { useSearchParams } from "../../app/search-params";
import { useTexts } from "../../i18n/language";
import { Maintenance } from "./Maintenance";
import { SettingList } from "./SettingList";
import { Status } from "./Status";
import { settingsTexts } from "./texts";

const tabs = ["settings", "status", "maintenance"] as const;

export default function Settings() {
  const t = useTexts(settingsTexts);
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get("tab")) ?? "settings";
  return (
    <>
      <Tabs
        activeKey={tab}
        onChange={(key) => setSearch(key === "settings" ? {} : { tab: key })}
        items={tabs.map((key) => ({ key, label: t.tabs[key] }))}
      />
      {tab === "settings" && <SettingList />}
      {tab === "status" && <Status />}
      {tab === "maintenance" && <Maintenance />}
    </>
  );
}
