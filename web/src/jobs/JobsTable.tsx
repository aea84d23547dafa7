import { cloneElement, isValidElement, memo, useMemo, type AriaAttributes } from "react";
import { Table, type CheckboxProps } from "antd";
import { mayChange, type JobLine } from "../api/types";
import { usePaging } from "../app/paging";
import { useMe } from "../app/session";
import { useIsNarrow } from "../app/width";
import { useFormats } from "../i18n/format";
import { useSpeech, useTexts } from "../i18n/language";
import { columns } from "./columns";
import { Nothing } from "./Nothing";
import { jobsTexts } from "./texts";
import { FIRST_SORT, hasFilters, type JobsView } from "./view";

/**
 * The rows. It is drawn anew only when what it shows has changed, and can be interrupted while it is
 * (see JobsPage), so that many changes a second do not hold up whoever types or scrolls.
 */
export const JobsTable = memo(function JobsTable(props: {
  jobs: readonly JobLine[];
  total: number;
  pending: boolean;
  view: JobsView;
  change: (part: Partial<JobsView>) => void;
  selected: readonly string[];
  select: (ids: readonly string[]) => void;
}) {
  const { view, change } = props;
  const t = useTexts(jobsTexts);
  const formats = useFormats();
  const { language } = useSpeech();
  const narrow = useIsNarrow();
  const paging = usePaging();
  const me = useMe();
  const shown = useMemo(() => columns(t, formats, language, view, narrow), [t, formats, language, view, narrow]);
  return (
    <Table<JobLine>
      className="jobs"
      size="small"
      rowKey="id"
      columns={shown}
      dataSource={props.jobs}
      loading={{ spinning: props.pending, delay: 200 }}
      tableLayout="fixed"
      showSorterTooltip={false}
      rowSelection={{
        columnWidth: 36,
        columnTitle: (box) => (isValidElement<AriaAttributes>(box) ? cloneElement(box, { "aria-label": t.selectAll }) : box),
        getCheckboxProps: (job) => ({ "aria-label": t.select(job.name), disabled: !mayChange(me, job) }) as CheckboxProps,
        selectedRowKeys: [...props.selected],
        onChange: (keys) => props.select(keys as string[]),
      }}
      locale={{ emptyText: props.pending ? <span /> : <Nothing filtered={hasFilters(view)} /> }}
      pagination={{
        ...paging,
        current: view.page,
        pageSize: view.size,
        total: props.total,
        showTotal: (total) => t.total(total),
        showSizeChanger: true,
        pageSizeOptions: [20, 50, 100],
        hideOnSinglePage: false,
      }}
      onChange={({ current, pageSize }, _, sorted, { action }) => {
        if (action === "sort" && !Array.isArray(sorted)) {
          const field = String(sorted.columnKey);
          change({ sort: !sorted.order ? FIRST_SORT : sorted.order === "descend" ? `-${field}` : field });
        } else {
          change({ page: pageSize === view.size ? (current ?? 1) : 1, size: pageSize ?? view.size });
        }
      }}
    />
  );
});
