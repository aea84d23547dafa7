import type { ReactNode } from "react";
import { Empty, Skeleton, Table, type TableColumnsType, type TableProps } from "antd";
import { ErrorAlert } from "../api/ErrorAlert";
import { usePaging } from "../app/paging";
import { useIsNarrow } from "../app/width";
import { useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

interface QueryState {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface Props<T extends object> {
  readonly label: string;
  readonly query: QueryState;
  readonly rows: readonly T[] | undefined;
  readonly columns: TableColumnsType<T>;
  readonly rowKey: keyof T & string;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  /** Whether filters are active: an empty table then shows that nothing matches them. */
  readonly filtered?: boolean;
  readonly table?: TableProps<T>;
}

/** A table in all its states: loading, failed, empty, and with rows. */
export function DataTable<T extends object>(props: Props<T>) {
  const t = useTexts(componentTexts);
  const paging = usePaging();
  const narrow = useIsNarrow();
  const { query, rows } = props;
  if (query.error && !rows) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  if (!rows) {
    return <Skeleton active paragraph={{ rows: 6 }} title={false} />;
  }
  if (rows.length === 0) {
    const emptyText = props.filtered ? t.nothingFound : props.empty;
    return <Empty className="nothing" image={Empty.PRESENTED_IMAGE_SIMPLE} description={emptyText} />;
  }
  return (
    <div className="table-scroll" role="region" aria-label={props.label} tabIndex={0}>
      <Table<T>
        size="small"
        rowKey={props.rowKey}
        columns={narrow ? props.columns : props.columns.map(withFixedActions)}
        dataSource={rows as T[]}
        pagination={{ ...paging, defaultPageSize: 50, showSizeChanger: true, showTotal: t.total }}
        {...props.table}
      />
    </div>
  );
}

/** Keeps the buttons of a row visible in a table that is wider than the window. */
function withFixedActions<T>(column: TableColumnsType<T>[number]): TableColumnsType<T>[number] {
  return column.key === "actions" ? { ...column, fixed: "right" } : column;
}
