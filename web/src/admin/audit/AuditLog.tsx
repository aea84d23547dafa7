import { AutoComplete, Button, Input, type TableColumnsType } from "antd";
import { DownloadOutlined } from "@ant-design/icons";
import { useInfiniteQuery } from "@tanstack/react-query";
import { address, api } from "../../api/client";
import type { AuditRecord } from "../../api/description";
import { useSearchParams } from "../../app/search-params";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { DataTable } from "../../components/DataTable";
import { TruncatedText } from "../../components/TruncatedText";
import { DayRange, type Days } from "../../components/DayRange";
import { dayOf, endOfDay, millisOf } from "../../components/dates";
import { actions } from "./actions";
import { AuditChange } from "./AuditChange";
import { auditTexts } from "./texts";

/** The audit log, newest records first. The filters are stored in the URL. */
export default function AuditLog() {
  const t = useTexts(auditTexts);
  const [search, setSearch] = useSearchParams();
  const days = { since: dayOf(search.get("since")), until: dayOf(search.get("until")) };
  const filter = {
    user: search.get("user") ?? "",
    action: search.get("action") ?? "",
    target: search.get("target") ?? "",
    since: days.since ? millisOf(days.since) : undefined,
    // The range includes the whole last day.
    until: days.until ? endOfDay(days.until) : undefined,
  };
  const setDays = (chosen: Days) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const side of ["since", "until"] as const) {
          after.delete(side);
          if (chosen[side]) {
            after.set(side, chosen[side]);
          }
        }
        return after;
      },
      { replace: true },
    );
  const filtered = [...search.keys()].length > 0;
  const query = useInfiniteQuery({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam }) => api.get<"listAudit">("/audit", { query: { ...filter, after: pageParam, limit: 100 } }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
  const columns = useColumns();
  return (
    <>
      <div className="filters">
        <Filter name="user" />
        <Filter name="action" options={actions} />
        <Filter name="target" />
        <DayRange days={days} change={setDays} />
        {filtered && <Button onClick={() => setSearch({}, { replace: true })}>{t.clear}</Button>}
        <Button icon={<DownloadOutlined />} href={address("/audit", { ...filter, format: "csv" })}>
          {t.csv}
        </Button>
        <Button icon={<DownloadOutlined />} href={address("/audit", { ...filter, format: "jsonl" })}>
          {t.jsonl}
        </Button>
      </div>
      <DataTable
        label={t.label}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.records)}
        columns={columns}
        rowKey="id"
        empty={t.empty}
        filtered={filtered}
        table={{ pagination: false, expandable: { expandedRowRender: (record) => <AuditChange record={record} /> } }}
      />
      {query.hasNextPage && (
        <Button style={{ marginTop: 8 }} onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t.more}
        </Button>
      )}
    </>
  );
}

function Filter(props: { name: "user" | "action" | "target"; options?: readonly string[] }) {
  const t = useTexts(auditTexts);
  const [value, setValue] = useSearchParam(props.name);
  const label = t[props.name];
  const hint = props.name === "action" ? t.actionHint : props.name === "target" ? t.targetHint : label;
  if (props.options) {
    return (
      <AutoComplete
        aria-label={label}
        placeholder={`${label}: ${hint}`}
        style={{ width: 240 }}
        allowClear
        value={value}
        onChange={(text: string) => setValue(text ?? "")}
        filterOption
        options={props.options.map((one) => ({ value: one }))}
      />
    );
  }
  return (
    <Input
      allowClear
      aria-label={label}
      placeholder={hint === label ? label : `${label}: ${hint}`}
      value={value}
      onChange={(event) => setValue(event.target.value)}
    />
  );
}

function useColumns(): TableColumnsType<AuditRecord> {
  const t = useTexts(auditTexts);
  const formats = useFormats();
  return [
    { title: t.time, dataIndex: "time", render: formats.time },
    { title: t.user, dataIndex: "user", render: (user: string) => <TruncatedText text={user} width={160} /> },
    { title: t.action, dataIndex: "action", render: (action: string) => <code>{action}</code> },
    { title: t.target, dataIndex: "target", render: (target: string) => <TruncatedText code text={target} width={300} /> },
    { title: t.address, dataIndex: "address" },
  ];
}
