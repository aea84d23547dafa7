import { lazy, Suspense } from "react";
import { Button, Empty, Segmented, Select, Skeleton } from "antd";
import { DownloadOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { address, api } from "../../api/client";
import { Refusal } from "../../api/ErrorAlert";
import { useSearchParams } from "../../app/search-params";
import { useTexts } from "../../i18n/language";
import { useAddressValue } from "../../components/use-search-param";
import { DayRange, type Days } from "../../components/DayRange";
import { dayOf, endOfDay, localDay, millisOf } from "../../components/dates";
import { UsageTable } from "./UsageTable";
import { usageTexts } from "./texts";
import type { Measure, UsageAnswer } from "./types";

const UsageChart = lazy(() => import("./UsageChart"));
/** Days are those of whoever looks. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const measures: readonly Measure[] = ["deviceHours", "cpuHours", "jobs"];

/** Hours of devices and CPUs, by user or virtual cluster and day. All choices are in the address. */
export default function Usage() {
  const t = useTexts(usageTexts);
  const [days, setDays] = useAddressValue("days");
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
  const [chosenBy, setBy] = useAddressValue("by");
  const [chosenMeasure, setMeasure] = useAddressValue("show");
  const by = chosenBy === "virtualCluster" ? "virtualCluster" : "user";
  const span = days || "30";
  const query = { by, zone, ...times(span, since, until) };
  const usage = useQuery({
    queryKey: ["usage", span, since, until, by],
    queryFn: () => api.get<UsageAnswer>("/usage", { query: { by, zone, ...times(span, since, until) } }),
  });
  // Where nobody has used a card, the hours of CPUs tell more.
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
      {usage.error && !usage.data && <Refusal error={usage.error} retry={() => void usage.refetch()} />}
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

/** The last day counts wholly. */
function times(span: string, since: string, until: string): { since?: number; until?: number } {
  if (span === "own") {
    return { ...(since ? { since: millisOf(since) } : {}), ...(until ? { until: endOfDay(until) } : {}) };
  }
  const first = new Date(millisOf(localDay(Date.now())));
  first.setDate(first.getDate() - (Number(span) - 1));
  return { since: first.getTime() };
}
