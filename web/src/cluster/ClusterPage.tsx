import { lazy, Suspense } from "react";
import { Skeleton, Tabs } from "antd";
import { PageHead } from "../app/PageHead";
import { useSearchParams } from "../app/search-params";
import { useTexts } from "../i18n/language";
import { Nodes } from "./Nodes";
import { clusterTexts } from "./texts";
import "./cluster.css";

const VirtualClusters = lazy(() => import("./VirtualClusters"));
const Queue = lazy(() => import("./Queue"));

const tabs = ["machines", "clusters", "queue"] as const;

export default function ClusterPage() {
  const t = useTexts(clusterTexts);
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get("tab")) ?? "machines";
  return (
    <>
      <PageHead title={t.title} />
      <Tabs
        activeKey={tab}
        onChange={(key) => setSearch(key === "machines" ? {} : { tab: key })}
        items={tabs.map((key) => ({ key, label: t.tabs[key] }))}
      />
      <Suspense fallback={<Skeleton active />}>
        {tab === "machines" && <Nodes />}
        {tab === "clusters" && <VirtualClusters />}
        {tab === "queue" && <Queue />}
      </Suspense>
    </>
  );
}
