import { lazy, Suspense } from "react";
import { Button, Empty, Input, Segmented, Select, Skeleton } from "antd";
import { DownloadOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { address, api } from "../../api/client";
import { Refusal } from "../../api/Refusal";
import { useTexts } from "../../i18n/language";
import { useAddressValue } from "../../parts/address";
import { localDay, millisOf } from "../moments";
import { UsageTable } from "./UsageTable";
import { usageTexts } from "./texts";
import type { Measure, UsageAnswer } from "./types";

const UsageChart = lazy(() => import("./UsageChart"));
const DAY = 86_400_000;
const measures: readonly Measure[] = ["deviceHours", "cpuHours", "jobs"];

/** Hours of devices and CPUs, by user or virtual cluster and day. All choices are in the address. */
export default function Usage() {
  const t = useTexts(usageTexts);
  const [days, setDays] = useAddressValue("days");
  const [since, setSince] = useAddressValue("since");
  const [until, setUntil] = useAddressValue("until");
  const [chosenBy, setBy] = useAddressValue("by");
  const [chosenMeasure, setMeasure] = useAddressValue("show");
  const by = chosenBy === "virtualCluster" ? "virtualCluster" : "user";
  const measure = measures.find((one) => one === chosenMeasure) ?? "deviceHours";
  const span = days || "30";
  const query = { by, ...times(span, since, until) };
  const usage = useQuery({
    queryKey: ["usage", span, since, until, by],
    queryFn: () => api.get<UsageAnswer>("/usage", { query: { by, ...times(span, since, until) } }),
  });
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
          <>
            <Day label={t.since} value={since} change={setSince} />
            <Day label={t.until} value={until} change={setUntil} />
          </>
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
          onChange={(value) => setMeasure(value === "deviceHours" ? "" : value)}
          options={measures.map((value) => ({ value, label: t.measures[value] }))}
        />
        <Button icon={<DownloadOutlined />} href={address("/usage", { ...query, format: "csv" })}>
          {t.csv}
        </Button>
      </div>
      <p className="quiet">{t.hint}</p>
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
    return { ...(since ? { since: millisOf(since) } : {}), ...(until ? { until: millisOf(until) + DAY } : {}) };
  }
  return { since: millisOf(localDay(Date.now())) - (Number(span) - 1) * DAY };
}

function Day(props: { label: string; value: string; change: (value: string) => void }) {
  return (
    <Input
      type="date"
      aria-label={props.label}
      prefix={<span className="quiet">{props.label}</span>}
      value={props.value}
      onChange={(event) => props.change(event.target.value)}
    />
  );
}
