import { useEffect, useState } from "react";
import type { JobListItem } from "../api/types";
import type { JobList } from "./list";

/** Number of rows that can be rendered within one frame, along with other work. */
const ROWS_A_FRAME = 10;

type Jobs = readonly JobListItem[];
const none: Jobs = [];

/**
 * Returns the rows to render on the way to the newest list. If dozens of jobs change between two
 * requests, rendering all of them at once would delay scrolling, so a few are updated per frame.
 * A different view, which the user has requested, is shown at once.
 */
export function useGradualRows(newest: JobList | undefined): Jobs {
  const [drawn, setDrawn] = useState<Pick<JobList, "jobs" | "view"> | undefined>(newest);
  const jobs = newest ? (drawn?.view === newest.view ? step(drawn.jobs, newest.jobs) : newest.jobs) : none;
  const view = newest?.view;
  useEffect(() => {
    if (!view || (drawn?.jobs === jobs && drawn.view === view)) {
      return;
    }
    const frame = requestAnimationFrame(() => setDrawn({ jobs, view }));
    return () => cancelAnimationFrame(frame);
  }, [drawn, jobs, view]);
  return jobs;
}

/**
 * Returns the rows for the next frame. Rows that are not updated in this step stay as they are; removed rows stay at the end until
 * other rows replace them.
 */
function step(drawn: Jobs, newest: Jobs): Jobs {
  if (drawn === newest || drawn.length === 0) {
    return newest;
  }
  const before = new Map(drawn.map((job) => [job.id, job]));
  let remaining = ROWS_A_FRAME;
  const jobs: JobListItem[] = [];
  for (const job of newest) {
    const known = before.get(job.id);
    before.delete(job.id);
    if (known === job || remaining-- > 0) {
      jobs.push(job);
    } else if (known) {
      jobs.push(known);
    }
  }
  return remaining >= 0 ? newest : [...jobs, ...before.values()].slice(0, newest.length);
}
