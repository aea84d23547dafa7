import { memo } from "react";
import type { JobListItem } from "../api/types";
import { useTexts } from "../i18n/language";
import { cellClass, type Column } from "./columns";
import { RowActions } from "./RowActions";
import { jobsTexts } from "./texts";

/** A row that is rendered again only if its job has changed; a changed job is a different object. */
export const JobRow = memo(function JobRow(props: {
  job: JobListItem;
  columns: readonly Column[];
  ticked: boolean;
  /** Null for jobs that the user may not change. */
  tick: ((id: string, on: boolean) => void) | null;
}) {
  const t = useTexts(jobsTexts);
  const { job, ticked, tick } = props;
  return (
    <tr className={ticked ? "jobs-ticked" : ""}>
      <td className="jobs-tick">
        <input
          type="checkbox"
          aria-label={t.select(job.name)}
          disabled={!tick}
          checked={ticked}
          onChange={(event) => tick?.(job.id, event.target.checked)}
        />
      </td>
      {props.columns.map((column) => (
        <td key={column.key} className={cellClass(column)}>
          {column.render(job)}
        </td>
      ))}
      <td className="jobs-more">
        <RowActions job={job} />
      </td>
    </tr>
  );
});
