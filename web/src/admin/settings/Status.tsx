import { Alert, Descriptions, Progress, Skeleton, Tag } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import { ErrorAlert } from "../../api/ErrorAlert";
import { messageText } from "../../api/messages";
import { useFormats } from "../../i18n/format";
import { useLanguage, useTexts } from "../../i18n/language";
import { settingsTexts } from "./texts";

const levelColours = { OK: "success", LOW: "warning", CRITICAL: "error" } as const;

export function Status() {
  const t = useTexts(settingsTexts);
  const formats = useFormats();
  const { language } = useLanguage();
  const query = useQuery({
    queryKey: ["status"],
    queryFn: () => api.get<"showStatus">("/status"),
    refetchInterval: 10_000,
  });
  if (query.error && !query.data) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <Skeleton active paragraph={{ rows: 6 }} />;
  }
  const { engine, version, started, data, database, jobs, disks, warnings } = query.data;
  return (
    <>
      {warnings.length === 0 && <Alert className="form-note" type="success" showIcon message={t.noWarnings} />}
      {warnings.map((warning, i) => (
        <Alert key={i} className="form-note" type="warning" showIcon message={messageText(warning, language)} />
      ))}
      <Descriptions bordered size="small" column={1}>
        <Descriptions.Item label={t.version}>{version ?? t.unavailable}</Descriptions.Item>
        <Descriptions.Item label={t.engine}>{engine ?? t.unavailable}</Descriptions.Item>
        <Descriptions.Item label={t.started}>{started === null ? t.unavailable : formats.time(started)}</Descriptions.Item>
        <Descriptions.Item label={t.data}>
          <code className="prose">{data ?? t.unavailable}</code>
        </Descriptions.Item>
        <Descriptions.Item label={t.database}>
          {database ? `${database.kind} ${database.schema} · ${t.waitingWrites(database.waitingWrites)}` : t.unavailable}
        </Descriptions.Item>
        <Descriptions.Item label={t.jobs}>
          {jobs
            ? Object.entries(jobs).map(([state, count]) => (
                <Tag key={state} bordered={false}>
                  {state} {formats.number(count)}
                </Tag>
              ))
            : t.unavailable}
        </Descriptions.Item>
        <Descriptions.Item label={t.disks}>
          {disks?.map((disk) => (
            <div key={disk.path}>
              <code className="prose">{disk.path}</code> {t.disk(formats.bytes(disk.free), formats.bytes(disk.total))}{" "}
              <Tag color={levelColours[disk.level]}>{t.levels[disk.level]}</Tag>
              <Progress
                size="small"
                showInfo={false}
                percent={Math.round((1 - disk.free / Math.max(1, disk.total)) * 100)}
                status={disk.level === "CRITICAL" ? "exception" : "normal"}
                aria-label={disk.path}
              />
            </div>
          )) ?? t.unavailable}
        </Descriptions.Item>
      </Descriptions>
    </>
  );
}
