import { lazy, Suspense, type ComponentType } from "react";
import { Badge, Menu, Select, Skeleton } from "antd";
import { Redirect, useLocation } from "wouter";
import { PageHead } from "../app/PageHead";
import { loadOrReload } from "../app/load-or-reload";
import { useOverview } from "../home/overview";
import { useTexts } from "../i18n/language";
import { adminTexts } from "./texts";
import { useIsMedium } from "./width";
import "./admin.css";

type Section = keyof (typeof adminTexts)["en"]["sections"];

const areas = {
  people: ["users", "groups", "signup", "requests", "tokens"],
  resources: ["virtual-clusters", "storages", "usage"],
  server: ["announcements", "audit", "settings"],
} as const satisfies Record<string, readonly Section[]>;

const load: Record<Section, () => Promise<{ default: ComponentType }>> = {
  users: () => import("./users/Users"),
  groups: () => import("./groups/Groups"),
  signup: () => import("./signup/SignUp"),
  requests: () => import("./requests/Requests"),
  "virtual-clusters": () => import("./clusters/Clusters"),
  storages: () => import("./storages/Storages"),
  tokens: () => import("./tokens/Tokens"),
  announcements: () => import("./announcements/Announcements"),
  usage: () => import("./usage/Usage"),
  audit: () => import("./audit/AuditLog"),
  settings: () => import("./settings/Settings"),
};

const pages = new Map<string, ComponentType>(
  Object.entries(load).map(([section, one]) => [section, lazy(() => loadOrReload(one))]),
);

/** `/admin/SECTION`; each section is loaded on its first visit. */
export default function AdminPage() {
  const t = useTexts(adminTexts);
  const [location, navigate] = useLocation();
  const medium = useIsMedium();
  const platform = useOverview().data?.platform;
  const open: Partial<Record<Section, number>> = { requests: platform?.openRequests, signup: platform?.pendingSignUps };
  const section = location.split("/")[2] ?? "";
  const Page = pages.get(section);
  if (!Page) {
    return <Redirect to="/admin/users" replace />;
  }
  const groups = (Object.keys(areas) as (keyof typeof areas)[]).map((area) => ({ area, keys: areas[area] }));
  return (
    <>
      <PageHead title={t.heading(t.sections[section as Section])} />
      <div className="admin">
        <nav aria-label={t.title}>
          {medium ? (
            <Select
              aria-label={t.section}
              style={{ width: "100%" }}
              value={section}
              onChange={(key) => navigate(`/admin/${key}`)}
              options={groups.map(({ area, keys }) => ({
                label: t[area],
                options: keys.map((key) => ({ value: key, label: open[key] ? `${t.sections[key]} (${open[key]})` : t.sections[key] })),
              }))}
            />
          ) : (
            <Menu
              selectedKeys={[section]}
              items={groups.map(({ area, keys }) => ({
                type: "group",
                key: area,
                label: t[area],
                children: keys.map((key) => ({
                  key,
                  label: (
                    <>
                      <a href={`/admin/${key}`}>{t.sections[key]}</a> <Badge count={open[key]} size="small" overflowCount={999} />
                    </>
                  ),
                })),
              }))}
              onClick={({ key, domEvent }) => {
                if (!domEvent.ctrlKey && !domEvent.metaKey && !domEvent.shiftKey) {
                  domEvent.preventDefault();
                  navigate(`/admin/${key}`);
                }
              }}
            />
          )}
        </nav>
        <div className="admin-section">
          <Suspense fallback={<Skeleton active />}>
            <Page />
          </Suspense>
        </div>
      </div>
    </>
  );
}
