import { Button, Empty, Table, Tag } from "antd";
import { Refusal } from "../api/Refusal";
import { say } from "../api/words";
import { useFormats } from "../i18n/format";
import { useSpeech, useTexts } from "../i18n/language";
import { DiagnosisCard } from "./DiagnosisCard";
import { TaskTable } from "./TasksTab";
import { stateTexts } from "./state-texts";
import { jobTexts } from "./texts";
import { reasonOf, type Attempt, type Job } from "./types";
import { useAttempts } from "./use-job";

/** Every time the job was started, why, and how that ended. */
export function AttemptsTab({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  const names = useTexts(stateTexts);
  const causes: Readonly<Record<string, string>> = names.cause;
  const { language } = useSpeech();
  const formats = useFormats();
  const query = useAttempts(id);
  if (query.error && !query.data) {
    return <Refusal error={query.error} retry={() => void query.refetch()} />;
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
              {attempt.diagnosis && <DiagnosisCard diagnosis={attempt.diagnosis} attempt={attempt.number} />}
              <TaskTable id={id} attempt={attempt.number} total={job.taskCount} old />
            </>
          ),
        }}
        columns={[
          { title: t.attempt, dataIndex: "number", key: "number" },
          { title: t.cause, key: "cause", render: (_, attempt) => causes[attempt.cause] ?? attempt.cause },
          { title: t.state, key: "state", render: (_, attempt) => <Outcome attempt={attempt} /> },
          { title: t.exitCode, key: "exit", render: (_, attempt) => attempt.exitCode ?? "–" },
          { title: t.started, key: "started", render: (_, attempt) => time(attempt.started) },
          { title: t.ended, key: "ended", render: (_, attempt) => time(attempt.ended) },
          {
            title: t.reason,
            key: "reason",
            render: (_, attempt) => {
              const reason = reasonOf(attempt);
              return <span className="wrap reason">{reason ? say(reason, language) : "–"}</span>;
            },
          },
        ]}
      />
      {query.hasNextPage && (
        <Button className="job-more" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.older}
        </Button>
      )}
    </>
  );
}

function Outcome({ attempt }: { attempt: Attempt }) {
  const names = useTexts(stateTexts);
  if (attempt.succeeded === null) {
    return attempt.ended === null ? (
      <Tag color="processing">{attempt.started === null ? names.job.PREPARING : names.job.RUNNING}</Tag>
    ) : (
      <Tag>{names.job.STOPPED}</Tag>
    );
  }
  return attempt.succeeded ? <Tag color="success">{names.job.SUCCEEDED}</Tag> : <Tag color="error">{names.job.FAILED}</Tag>;
}
