import { memo, useCallback, useEffect, useMemo, useRef, type MouseEvent } from "react";
import { Pagination, Spin } from "antd";
import { useLocation } from "wouter";
import { mayChange, type JobListItem } from "../api/types";
import { usePaging } from "../app/paging";
import { useMe } from "../app/session";
import { useIsNarrow } from "../app/width";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { columns } from "./columns";
import { JobRow } from "./JobRow";
import { EmptyJobs } from "./EmptyJobs";
import { TableHead } from "./TableHead";
import { jobsTexts } from "./texts";
import { hasFilters, type JobsView } from "./view";

/**
 * The table of jobs. It is a plain table because thousands of jobs may change while it is shown: only
 * rows whose job has changed are rendered again, and rendering can be interrupted (see JobsPage), so
 * that many changes per second do not delay typing or scrolling.
 */
export const JobsTable = memo(function JobsTable(props: {
  jobs: readonly JobListItem[];
  total: number;
  /** No data has been loaded yet. */
  pending: boolean;
  /** The rows belong to the previous view; those of this view are loading. */
  stale: boolean;
  view: JobsView;
  change: (part: Partial<JobsView>) => void;
  selected: readonly string[];
  select: (ids: readonly string[]) => void;
}) {
  const { jobs, view, change, selected, select } = props;
  const t = useTexts(jobsTexts);
  const formats = useFormats();
  const { language } = useLanguage();
  const narrow = useIsNarrow();
  const me = useMe();
  const open = useLinks();
  const { scope } = view;
  const shown = useMemo(() => columns(t, formats, language, scope, narrow), [t, formats, language, scope, narrow]);
  const ticked = useMemo(() => new Set(selected), [selected]);
  const mine = useMemo(() => jobs.filter((job) => mayChange(me, job)), [jobs, me]);
  const latest = useRef({ mine, selected });
  useEffect(() => {
    latest.current = { mine, selected };
  });
  const tick = useCallback(
    (id: string, on: boolean) => select(on ? [...latest.current.selected, id] : latest.current.selected.filter((one) => one !== id)),
    [select],
  );
  const tickAll = useCallback((on: boolean) => select(on ? latest.current.mine.map((job) => job.id) : []), [select]);
  return (
    <>
      <div className="jobs-scroll">
        <table className={props.stale ? "jobs jobs-stale" : "jobs"} aria-busy={props.pending || props.stale}>
          <TableHead
            columns={shown}
            sort={view.sort}
            change={change}
            all={mine.length > 0 && ticked.size === mine.length}
            some={ticked.size > 0}
            tickAll={tickAll}
          />
          <tbody onClick={open}>
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} columns={shown} ticked={ticked.has(job.id)} tick={mayChange(me, job) ? tick : null} />
            ))}
          </tbody>
        </table>
        {props.pending ? <Spin className="page-loading" delay={200} /> : jobs.length === 0 && <EmptyJobs filtered={hasFilters(view)} />}
      </div>
      <PageChoice page={view.page} size={view.size} total={props.total} change={change} />
    </>
  );
});

/** Separate from the rows because it changes much less often. */
const PageChoice = memo(function PageChoice(props: { page: number; size: number; total: number; change: (part: Partial<JobsView>) => void }) {
  const { change } = props;
  const t = useTexts(jobsTexts);
  const paging = usePaging();
  return (
    <Pagination
      {...paging}
      className="jobs-pages"
      align="end"
      hideOnSinglePage={false}
      current={props.page}
      pageSize={props.size}
      total={props.total}
      showTotal={(total) => t.total(total)}
      showSizeChanger
      pageSizeOptions={[20, 50, 100]}
      onChange={(page, size) => change(size === props.size ? { page } : { page: 1, size })}
    />
  );
});

/** One click handler for all rows: a link component per row would add one listener each. */
function useLinks() {
  const [, navigate] = useLocation();
  return useCallback(
    (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.job-name") : null;
      const elsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      if (link && !elsewhere) {
        event.preventDefault();
        navigate(link.pathname);
      }
    },
    [navigate],
  );
}
