import { memo, useDeferredValue, useEffect, useMemo, useState } from "react";
import { DownloadOutlined, PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useLocation } from "wouter";
import { address } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { PageHead } from "../app/PageHead";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { Filters } from "./Filters";
import { useGradualRows } from "./use-gradual-rows";
import { JobsTable } from "./JobsTable";
import { useJobList } from "./list";
import { queryOf } from "./query";
import { Selection } from "./Selection";
import { jobsTexts } from "./texts";
import { useJobsView } from "./view";
import "./jobs.css";

export default function JobsPage() {
  const t = useTexts(jobsTexts);
  const me = useMe();
  const [view, change] = useJobsView();
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const list = useJobList(view, me);
  const last = list.data && !list.isPlaceholderData ? Math.ceil(list.data.total / view.size) : 0;
  useEffect(() => {
    // This page no longer exists because jobs were deleted or no longer match the filters: opens the last page instead.
    if (last > 0 && view.page > last) {
      change({ page: last });
    }
  }, [last, view.page, change]);
  // Updates of jobs have a lower priority than user input.
  const jobs = useGradualRows(useDeferredValue(list.data));
  const chosen = useMemo(() => jobs.filter((job) => ticked.includes(job.id)), [jobs, ticked]);
  const names = chosen.map((job) => job.id).join();
  const selected = useMemo(() => (names === "" ? [] : names.split(",")), [names]);
  return (
    <>
      <PageHead title={t.title} actions={actions} />
      <Filters view={view} change={change} />
      {list.error && <ErrorAlert error={list.error} retry={() => void list.refetch()} />}
      <Selection jobs={chosen} clear={() => setTicked([])} />
      <JobsTable
        jobs={jobs}
        total={list.data?.total ?? 0}
        pending={list.isPending}
        stale={list.isPlaceholderData}
        view={view}
        change={change}
        selected={selected}
        select={setTicked}
      />
    </>
  );
}

const Actions = memo(function Actions() {
  const t = useTexts(jobsTexts);
  const [view] = useJobsView();
  const [, navigate] = useLocation();
  const file = () => address("/jobs", { ...queryOf(view), format: "csv" });
  return (
    <>
      {/* The time range ends at the click, even if the page has been open for long. */}
      <Button icon={<DownloadOutlined />} href={file()} download onClick={(event) => event.currentTarget.setAttribute("href", file())}>
        {t.exportCsv}
      </Button>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate("/submit")}>
        {t.submit}
      </Button>
    </>
  );
});

const actions = <Actions />;
