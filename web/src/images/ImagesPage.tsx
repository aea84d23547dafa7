import { lazy, Suspense } from "react";
import { Skeleton, Tabs } from "antd";
import { PageHead } from "../app/PageHead";
import { useSearchParams } from "../app/search-params";
import { useTexts } from "../i18n/language";
import { Catalog } from "./Catalog";
import { PullList } from "./PullList";
import { imageTexts } from "./texts";

const NodeImages = lazy(() => import("./NodeImages"));
const Registries = lazy(() => import("./Registries"));
const Logins = lazy(() => import("./Logins"));

const tabs = ["catalogue", "machine", "registries", "logins"] as const;

export default function ImagesPage() {
  const t = useTexts(imageTexts);
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get("tab")) ?? "catalogue";
  return (
    <>
      <PageHead title={t.title} />
      <PullList />
      <Tabs
        activeKey={tab}
        // Drops the filters because they apply to one tab only.
        onChange={(key) => setSearch(key === "catalogue" ? {} : { tab: key })}
        items={tabs.map((key) => ({ key, label: t.tabs[key] }))}
      />
      <Suspense fallback={<Skeleton active />}>
        {tab === "catalogue" && <Catalog />}
        {tab === "machine" && <NodeImages />}
        {tab === "registries" && <Registries />}
        {tab === "logins" && <Logins />}
      </Suspense>
    </>
  );
}
