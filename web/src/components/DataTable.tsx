import type { ReactNode } from "react";
import { Empty, Skeleton, Table, type TableColumnsType, type TableProps } from "antd";
import { Refusal } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { partTexts } from "./texts";

interface Asked {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface Props<T extends object> {
  readonly label: string;
  readonly query: Asked;
  readonly rows: readonly T[] | undefined;
  readonly columns: TableColumnsType<T>;
  readonly rowKey: keyof T & string;
  /** What to say, and offer, where nothing is. */
  readonly empty: ReactNode;
  /** Set if filters are what hides everything; clears them. */
  readonly filtered?: boolean;
  readonly table?: TableProps<T>;
}

/** A list in all its states: being read, refused, empty, and there. */
export function DataTable<T extends object>(props: Props<T>) {
  const t = useTexts(partTexts);
  const { query, rows } = props;
  if (query.error && !rows) {
    return <Refusal error={query.error} retry={() => void query.refetch()} />;
  }
  if (!rows) {
    return <Skeleton active paragraph={{ rows: 6 }} title={false} />;
  }
  if (rows.length === 0) {
    const said = props.filtered ? t.nothingFound : props.empty;
    return <Empty className="nothing" image={Empty.PRESENTED_IMAGE_SIMPLE} description={said} />;
  }
  return (
    <div className="table-scroll" role="region" aria-label={props.label} tabIndex={0}>
      <Table<T>
        size="small"
        rowKey={props.rowKey}
        columns={props.columns}
        dataSource={rows as T[]}
        pagination={{ defaultPageSize: 50, hideOnSinglePage: true, showSizeChanger: true, showTotal: t.total }}
        {...props.table}
      />
    </div>
  );
}
