import { Button, Checkbox, Empty, Table, Tag } from "antd";
import { ErrorAlert } from "../api/ErrorAlert";
import { messageText } from "../api/messages";
import type { JobEvent } from "../api/types";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { historyTexts } from "./history-texts";
import { jobTexts } from "./texts";
import { useViewParams } from "./use-view-params";
import { useJobEvents } from "./use-job";

/** The events of the job, newest first. */
export function EventsTab({ id }: { id: string }) {
  const t = useTexts(jobTexts);
  const names = useTexts(historyTexts);
  const kinds: Readonly<Record<string, string>> = names.event;
  const { language } = useLanguage();
  const formats = useFormats();
  const [params, change] = useViewParams();
  const warnings = params.get("warnings") === "true";
  const query = useJobEvents(id);
  if (query.error && !query.data) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  const events = (query.data?.pages ?? []).flatMap((page) => page.events).filter((event) => !warnings || event.warning);
  return (
    <>
      <Checkbox className="job-filter" checked={warnings} onChange={(event) => change({ warnings: event.target.checked ? "true" : null })}>
        {t.onlyWarnings}
      </Checkbox>
      <Table<JobEvent>
        size="small"
        rowKey="id"
        loading={query.isLoading}
        dataSource={events}
        pagination={false}
        scroll={{ x: "max-content" }}
        locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.noEvents} /> }}
        columns={[
          { title: t.time, key: "time", render: (_, event) => <span className="nowrap">{formats.time(event.time)}</span> },
          {
            title: t.kind,
            key: "type",
            render: (_, event) => <Tag color={event.warning ? "warning" : "default"}>{kinds[event.type] ?? event.type}</Tag>,
          },
          { title: t.attempt, key: "attempt", render: (_, event) => event.attempt || "–" },
          { title: t.task, key: "task", render: (_, event) => (event.role === null ? "–" : <bdi className="job-cut">{`${event.role}-${event.index}`}</bdi>) },
          { title: t.message, key: "message", render: (_, event) => <span className="wrap reason sentence">{messageText(event, language)}</span> },
        ]}
      />
      {query.hasNextPage && (
        <Button className="job-more" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.olderAttempts}
        </Button>
      )}
    </>
  );
}
