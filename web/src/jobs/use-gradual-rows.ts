import { useEffect, useState } from "react";
import type { JobLine } from "../api/types";
import type { JobList } from "./list";

/** So many rows are drawn well within a frame, next to what else there is to do. */
const ROWS_A_FRAME = 10;

type Jobs = readonly JobLine[];
const none: Jobs = [];

/**
 * The list on its way to the newest one. Where dozens of jobs come and go between two looks at the
 * server, drawing all of them at once would hold up whoever scrolls; so they come a few each frame.
 * Another view, which somebody waits for, is there at once.
 */
export function useGradual(newest: JobList | undefined): Jobs {
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

/** Rows that wait for their turn stay as they are; those that left stay below until others come. */
function step(drawn: Jobs, newest: Jobs): Jobs {
  if (drawn === newest || drawn.length === 0) {
    return newest;
  }
  const before = new Map(drawn.map((job) => [job.id, job]));
  let room = ROWS_A_FRAME;
  const jobs: JobLine[] = [];
  for (const job of newest) {
    const known = before.get(job.id);
    before.delete(job.id);
    if (known === job || room-- > 0) {
      jobs.push(job);
    } else if (known) {
      jobs.push(known);
    }
  }
  return room >= 0 ? newest : [...jobs, ...before.values()].slice(0, newest.length);
}
