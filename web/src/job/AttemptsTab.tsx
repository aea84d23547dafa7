import { Button, Empty, Table } from "antd";
import { ErrorAlert } from "../api/ErrorAlert";
import { isFinished, type JobState } from "../api/types";
import { reasonOf } from "../api/messages";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { StateTag } from "../components/StateTag";
import { DiagnosisCard } from "./DiagnosisCard";
import { TaskTable } from "./TasksTab";
import { historyTexts } from "./history-texts";
import { jobTexts } from "./texts";
import type { Attempt, Job } from "./types";
import { useAttempts } from "./use-job";

/** The attempts of the job with their causes and results. */
export function AttemptsTab({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  const names = useTexts(historyTexts);
  const causes: Readonly<Record<string, string>> = names.cause;
  const { language } = useLanguage();
  const formats = useFormats();
  const query = useAttempts(id);
  if (query.error && !query.data) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  const attempts = (query.data?.pages ?? []).flatMap((page) => page.attempts);
  const time = (value: number | null) => (value === null ? "–" : formats.time(value));
  return (
    <>
      <Table<Attempt>
        size="small"
        rowKey="number"
        loading={query.isLoading}
        dataSource={attempts}
        pagination={false}
        scroll={{ x: "max-content" }}
        locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.noAttempts} /> }}
        expandable={{
          expandedRowRender: (attempt) => (
            <>
              {attempt.diagnosis && <DiagnosisCard diagnosis={attempt.diagnosis} attempt={attempt.number} over={isFinished(job.state) && attempt.number === job.attempt} />}
              <TaskTable id={id} attempt={attempt.number} total={job.taskCount} old />
            </>
          ),
        }}
        columns={[
          { title: t.attempt, dataIndex: "number", key: "number" },
          { title: t.cause, key: "cause", render: (_, attempt) => causes[attempt.cause] ?? attempt.cause },
          { title: t.state, key: "state", render: (_, attempt) => <StateTag state={stateOf(attempt)} /> },
          { title: t.exitCode, key: "exit", render: (_, attempt) => attempt.exitCode ?? "–" },
          { title: t.started, key: "started", render: (_, attempt) => time(attempt.started) },
          { title: t.ended, key: "ended", render: (_, attempt) => time(attempt.ended) },
          {
            title: t.reason,
            key: "reason",
            render: (_, attempt) => <span className="wrap reason">{reasonOf(attempt, language) || "–"}</span>,
          },
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

/** Returns the state of the job in this attempt. */
function stateOf({ succeeded, started, ended }: Attempt): JobState {
  if (succeeded !== null) {
    return succeeded ? "SUCCEEDED" : "FAILED";
  }
  return ended !== null ? "STOPPED" : started === null ? "PREPARING" : "RUNNING";
}
