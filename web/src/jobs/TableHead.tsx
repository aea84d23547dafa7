import { memo } from "react";
import { CaretDownFilled, CaretUpFilled } from "@ant-design/icons";
import { useTexts } from "../i18n/language";
import { cellClass, type Column } from "./columns";
import { jobsTexts } from "./texts";
import { FIRST_SORT, type JobsView } from "./view";

/** The header row; sortable columns are buttons. */
export const TableHead = memo(function TableHead(props: {
  columns: readonly Column[];
  sort: string;
  change: (part: Partial<JobsView>) => void;
  all: boolean;
  some: boolean;
  tickAll: (on: boolean) => void;
}) {
  const t = useTexts(jobsTexts);
  return (
    <thead>
      <tr>
        <th scope="col" className="jobs-tick">
          <input
            type="checkbox"
            aria-label={t.selectAll}
            checked={props.all}
            ref={(box) => {
              if (box) box.indeterminate = props.some && !props.all;
            }}
            onChange={(event) => props.tickAll(event.target.checked)}
          />
        </th>
        {props.columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={props.sort} change={props.change} />
        ))}
        <td className="jobs-more" />
      </tr>
    </thead>
  );
});

function HeadCell({ column, sort, change }: { column: Column; sort: string; change: (part: Partial<JobsView>) => void }) {
  const { key } = column;
  const order = sort === key ? "ascending" : sort === `-${key}` ? "descending" : "none";
  const next = { none: key, ascending: `-${key}`, descending: FIRST_SORT }[order];
  return (
    <th
      scope="col"
      className={cellClass(column)}
      style={{ width: column.width }}
      {...(column.sortable ? { "aria-sort": order } : {})}
    >
      {column.sortable ? (
        <button type="button" className="jobs-sort" onClick={() => change({ sort: next })}>
          {column.title}
          <span className="jobs-carets">
            <CaretUpFilled className={order === "ascending" ? "on" : ""} />
            <CaretDownFilled className={order === "descending" ? "on" : ""} />
          </span>
        </button>
      ) : (
        column.title
      )}
    </th>
  );
}
