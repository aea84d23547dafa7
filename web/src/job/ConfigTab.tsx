import { useDeferredValue, useMemo, useState } from "react";
import { CopyOutlined, DownloadOutlined } from "@ant-design/icons";
import { Button, Segmented, Select, Skeleton } from "antd";
import { useQuery } from "@tanstack/react-query";
import { address, api, path } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { useCopy } from "../components/use-copy";
import { highlighted } from "./highlight";
import { lineDiff } from "./line-diff";
import { normalized } from "./normalized";
import { jobTexts } from "./texts";
import { useViewParams } from "./use-view-params";
import { useConfig } from "./use-job";

const MOST_LINES = 5_000;

/** Value that replaces each secret. */
const MASK = "******";

/** The submitted job file; the server masks its secrets. */
export default function ConfigTab({ id }: { id: string }) {
  const t = useTexts(jobTexts);
  const copy = useCopy();
  const [params, change] = useViewParams();
  const other = params.get("with");
  const mine = useConfig(id);
  const theirs = useConfig(other);
  const asSubmitted = params.get("layout") === "submitted";
  const shown = (text: string) => (asSubmitted ? text : normalized(text));
  return (
    <>
      <div className="log-bar">
        <OtherJob id={id} chosen={other} choose={(name) => change({ with: name })} />
        <Segmented
          aria-label={t.layout}
          value={asSubmitted ? "submitted" : "normalized"}
          options={[{ value: "normalized", label: t.normalized }, { value: "submitted", label: t.asSubmitted }]}
          onChange={(layout) => change({ layout: layout === "submitted" ? layout : null })}
        />
        <Button icon={<CopyOutlined />} disabled={!mine.data} onClick={() => copy(mine.data ?? "")}>
          {t.copy}
        </Button>
        <Button icon={<DownloadOutlined />} href={address(path`/jobs/${id}/config`)} download={`${id.replaceAll("~", "-")}.txt`}>
          {t.download}
        </Button>
        {mine.data?.includes(MASK) && <span className="log-count">{t.masked}</span>}
      </div>
      {mine.error && <ErrorAlert error={mine.error} retry={() => void mine.refetch()} />}
      {theirs.error && <ErrorAlert error={theirs.error} retry={() => void theirs.refetch()} />}
      {mine.data === undefined || (other && theirs.data === undefined) ? (
        !mine.error && !theirs.error && <Skeleton active />
      ) : other ? (
        <Differences before={shown(theirs.data!)} after={shown(mine.data)} />
      ) : (
        <Source text={shown(mine.data)} />
      )}
    </>
  );
}

function Source({ text }: { text: string }) {
  const t = useTexts(jobTexts);
  const lines = text.split("\n");
  return (
    <pre className="job-code" tabIndex={0} aria-label={t.tabs.config}>
      {lines.slice(0, MOST_LINES).map((line, i) => (
        <div key={i} className="code-line">
          {highlighted(line)}
        </div>
      ))}
      {lines.length > MOST_LINES && <div className="code-line">{t.moreLines(lines.length - MOST_LINES)}</div>}
    </pre>
  );
}

function Differences({ before, after }: { before: string; after: string }) {
  const t = useTexts(jobTexts);
  const changes = useMemo(() => lineDiff(before, after), [before, after]);
  if (changes.every((change) => change.kind === "same")) {
    return <p>{t.noDifference}</p>;
  }
  const signs = { same: " ", added: "+", removed: "−" };
  return (
    <pre className="job-code" tabIndex={0} aria-label={t.compare}>
      {changes.slice(0, MOST_LINES).map((change, i) => (
        <div key={i} className={`code-line ${change.kind}`}>
          <span className="code-sign">{signs[change.kind]}</span>
          {highlighted(change.text)}
        </div>
      ))}
    </pre>
  );
}

function OtherJob({ id, chosen, choose }: { id: string; chosen: string | null; choose: (name: string | null) => void }) {
  const t = useTexts(jobTexts);
  const [typed, setTyped] = useState("");
  const keyword = useDeferredValue(typed);
  const query = useQuery({
    queryKey: ["jobs", "compare", keyword],
    queryFn: ({ signal }) => api.get<"listJobs">("/jobs", { query: { keyword, limit: 20 }, signal }),
  });
  const options = (query.data?.jobs ?? [])
    .map((job) => `${job.user}~${job.name}`)
    .filter((name) => name !== id)
    .map((name) => ({ value: name, label: name }));
  return (
    <Select
      className="job-other"
      showSearch
      allowClear
      filterOption={false}
      loading={query.isFetching}
      value={chosen}
      placeholder={t.compare}
      aria-label={t.compare}
      onSearch={setTyped}
      onChange={(value: string | undefined) => choose(value ?? null)}
      options={options}
    />
  );
}
