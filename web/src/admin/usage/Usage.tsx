import { lazy, Suspense } from "react";
import { Button, Empty, Segmented, Select, Skeleton } from "antd";
import { DownloadOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { address, api } from "../../api/client";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useSearchParams } from "../../app/search-params";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { DayRange, type Days } from "../../components/DayRange";
import { dayOf, endOfDay, localDay, millisOf } from "../../components/dates";
import { UsageTable } from "./UsageTable";
import { usageTexts } from "./texts";
import type { Measure } from "./types";

const UsageChart = lazy(() => import("./UsageChart"));
/** Days are in the time zone of the viewer. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const measures: readonly Measure[] = ["deviceHours", "cpuHours", "jobs"];

/** Device and CPU hours by user or virtual cluster and day. All choices are stored in the URL. */
export default function Usage() {
  const t = useTexts(usageTexts);
  const [days, setDays] = useSearchParam("days");
  const [search, setSearch] = useSearchParams();
  const since = dayOf(search.get("since"));
  const until = dayOf(search.get("until"));
  const setRange = (range: Days) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        after.set("since", range.since);
        after.set("until", range.until);
        return after;
      },
      { replace: true },
    );
  const [chosenBy, setBy] = useSearchParam("by");
  const [chosenMeasure, setMeasure] = useSearchParam("show");
  const by = chosenBy === "virtualCluster" ? "virtualCluster" : "user";
  const span = days || "30";
  const query = { by, zone, ...times(span, since, until) };
  const usage = useQuery({
    queryKey: ["usage", span, since, until, by],
    queryFn: () => api.get<"showUsage">("/usage", { query: { by, zone, ...times(span, since, until) } }),
  });
  // If no devices were used, CPU hours are the more useful default.
  const usual = usage.data?.totals.some((one) => one.deviceHours > 0) === false ? "cpuHours" : "deviceHours";
  const measure = measures.find((one) => one === chosenMeasure) ?? usual;
  return (
    <>
      <div className="filters">
        <Select
          aria-label={t.span}
          value={span}
          onChange={(value) => setDays(value === "30" ? "" : value)}
          options={[
            ...["7", "30", "90", "365"].map((value) => ({ value, label: t.days[value as keyof typeof t.days] })),
            { value: "own", label: t.own },
          ]}
        />
        {span === "own" && (
          <DayRange days={{ since, until }} change={setRange} />
        )}
        <Segmented
          aria-label={t.by}
          value={by}
          onChange={(value) => setBy(value === "user" ? "" : value)}
          options={(["user", "virtualCluster"] as const).map((value) => ({ value, label: t.bys[value] }))}
        />
        <Segmented
          aria-label={t.measure}
          value={measure}
          onChange={setMeasure}
          options={measures.map((value) => ({ value, label: t.measures[value] }))}
        />
        <Button icon={<DownloadOutlined />} href={address("/usage", { ...query, format: "csv" })}>
          {t.csv}
        </Button>
      </div>
      <p className="quiet">{t.hint(zone)}</p>
      {usage.error && !usage.data && <ErrorAlert error={usage.error} retry={() => void usage.refetch()} />}
      {usage.isPending && <Skeleton active paragraph={{ rows: 8 }} />}
      {usage.data &&
        (usage.data.totals.length === 0 ? (
          <Empty className="nothing" image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.empty} />
        ) : (
          <>
            <Suspense fallback={<Skeleton active />}>
              <UsageChart usage={usage.data} measure={measure} />
            </Suspense>
            <UsageTable usage={usage.data} by={by} measure={measure} />
          </>
        ))}
    </>
  );
}

/** Returns the time range, which includes the whole last day. */
function times(span: string, since: string, until: string): { since?: number; until?: number } {
  if (span === "own") {
    return { ...(since ? { since: millisOf(since) } : {}), ...(until ? { until: endOfDay(until) } : {}) };
  }
  const first = new Date(millisOf(localDay(Date.now())));
  first.setDate(first.getDate() - (Number(span) - 1));
  return { since: first.getTime() };
}
