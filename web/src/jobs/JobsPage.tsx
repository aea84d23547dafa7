import { cloneElement, isValidElement, useMemo, useState, type AriaAttributes } from "react";
import { DownloadOutlined, PlusOutlined } from "@ant-design/icons";
import { App, Button, Empty, Table, type CheckboxProps } from "antd";
import { useLocation } from "wouter";
import { Refusal } from "../api/Refusal";
import { isOver, type JobLine } from "../api/types";
import { usePaging } from "../app/paging";
import { PageHead } from "../app/PageHead";
import { useMe } from "../app/session";
import { useIsNarrow } from "../app/width";
import { useFormats } from "../i18n/format";
import { useSpeech, useTexts } from "../i18n/language";
import { columns } from "./columns";
import { exportCsv } from "./export";
import { Filters } from "./Filters";
import { queryOf, useJobList } from "./list";
import { Selection } from "./Selection";
import { jobsTexts } from "./texts";
import { FIRST_SORT, hasFilters, useJobsView } from "./view";

export default function JobsPage() {
  const t = useTexts(jobsTexts);
  const formats = useFormats();
  const { language } = useSpeech();
  const me = useMe();
  const [view, change] = useJobsView();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const paging = usePaging();
  const list = useJobList(view, me.user);
  const narrow = useIsNarrow();
  const shown = useMemo(() => columns(t, formats, language, view, narrow), [t, formats, language, view, narrow]);
  const jobs = list.data?.jobs ?? [];
  const chosen = jobs.filter((job) => selected.includes(job.id));
  return (
    <>
      <PageHead title={t.title} actions={<Actions />} />
      <Filters view={view} change={change} />
      {list.error && <Refusal error={list.error} retry={() => void list.refetch()} />}
      <Selection jobs={chosen} clear={() => setSelected([])} />
      <Table<JobLine>
        className="jobs"
        size="small"
        rowKey="id"
        columns={shown}
        dataSource={jobs}
        loading={{ spinning: list.isPending, delay: 200 }}
        tableLayout="fixed"
        showSorterTooltip={false}
        rowSelection={{
          columnWidth: 36,
          columnTitle: (box) => (isValidElement<AriaAttributes>(box) ? cloneElement(box, { "aria-label": t.selectAll }) : box),
          getCheckboxProps: (job) => ({ "aria-label": t.select(job.name) }) as CheckboxProps,
          selectedRowKeys: chosen.map((job) => job.id),
          onChange: (keys) => setSelected(keys as string[]),
        }}
        rowClassName={(job) => (isOver(job.state) ? "over" : "")}
        locale={{ emptyText: list.isPending ? <span /> : <Nothing filtered={hasFilters(view)} /> }}
        pagination={{
          ...paging,
          current: view.page,
          pageSize: view.size,
          total: list.data?.total ?? 0,
          showTotal: (total) => t.total(total),
          showSizeChanger: true,
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
    </>
  );
}

function Actions() {
  const t = useTexts(jobsTexts);
  const me = useMe();
  const [view] = useJobsView();
  const [, navigate] = useLocation();
  const { message } = App.useApp();
  const [exporting, setExporting] = useState<number | null>(null);
  const begin = async () => {
    setExporting(0);
    try {
      await exportCsv(queryOf(view, me.user), setExporting);
    } catch {
      message.error(t.exportFailed);
    }
    setExporting(null);
  };
  return (
    <>
      <Button icon={<DownloadOutlined />} loading={exporting !== null} onClick={() => void begin()}>
        {exporting === null ? t.exportCsv : t.exporting(exporting)}
      </Button>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate("/submit")}>
        {t.submit}
      </Button>
    </>
  );
}

function Nothing(props: { filtered: boolean }) {
  const t = useTexts(jobsTexts);
  const [, navigate] = useLocation();
  if (props.filtered) {
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.nothing} />;
  }
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={<><strong>{t.empty}</strong><br />{t.emptyHint}</>}>
      <Button type="primary" onClick={() => navigate("/submit")}>
        {t.submit}
      </Button>
    </Empty>
  );
}
