import { useEffect, useRef, useState } from "react";
import { Alert, Checkbox, Form, Input, Modal, Progress, Select } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import type { Lines, Requests } from "../api/description";
import { ApiError } from "../api/error";
import { ErrorAlert } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { jobTexts } from "./texts";
import { taskName, type Job } from "./types";

interface CommitRequest {
  readonly name: string;
  readonly task: string;
  readonly push: boolean;
}

/** Saves the container of a running task as an image. */
export function CommitDialog({ job, id, close }: { job: Job; id: string; close: () => void }) {
  const t = useTexts(jobTexts);
  const client = useQueryClient();
  const [form] = Form.useForm<CommitRequest>();
  const [percent, setPercent] = useState<number | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);
  const tasks = job.tasks.filter((task) => task.state === "RUNNING");

  const commit = async (wanted: CommitRequest) => {
    setPercent(0);
    setError(null);
    const task = tasks.find((one) => taskName(one) === wanted.task);
    const body: Requests["commitTask"] = { name: wanted.name.trim(), role: task?.role, index: task?.index, push: wanted.push };
    try {
      const answer = await api.raw("POST", path`/jobs/${id}/commit`, body, { signal: gone.current.signal });
      for await (const progress of jsonLines<Lines["commitTask"]>(answer.body!)) {
        if (progress.percent !== undefined) setPercent(progress.percent);
        if (progress.error) throw new ApiError(409, progress.error, null);
        if (progress.image) {
          setSaved(progress.image.references[0] ?? wanted.name);
          void client.invalidateQueries({ queryKey: ["local-images"] });
        }
      }
    } catch (failure) {
      if (!gone.current.signal.aborted) setError(failure);
    } finally {
      setPercent(null);
    }
  };
  const working = percent !== null;
  return (
    <Modal
      open
      title={t.commit}
      okText={saved ? t.close : t.commitNow}
      okButtonProps={{ loading: working }}
      cancelButtonProps={saved ? { style: { display: "none" } } : {}}
      onOk={() => (saved ? close() : form.submit())}
      onCancel={close}
      maskClosable={!working}
    >
      <p>{t.commitText}</p>
      {error !== null && <ErrorAlert error={error} />}
      {saved ? (
        <Alert type="success" showIcon message={t.committed} description={<code className="wrap">{saved}</code>} />
      ) : (
        <Form form={form} layout="vertical" disabled={working} onFinish={(wanted) => void commit(wanted)} initialValues={{ task: tasks[0] && taskName(tasks[0]), push: false }}>
          <Form.Item name="name" label={t.imageName} extra={t.imageNameHint} rules={[{ required: true, message: t.needImageName }]}>
            <Input spellCheck={false} autoCapitalize="none" maxLength={255} />
          </Form.Item>
          {tasks.length > 1 && (
            <Form.Item name="task" label={t.task}>
              <Select showSearch options={tasks.map((task) => ({ value: taskName(task), label: taskName(task) }))} />
            </Form.Item>
          )}
          <Form.Item name="push" valuePropName="checked">
            <Checkbox>{t.push}</Checkbox>
          </Form.Item>
        </Form>
      )}
      {working && <Progress percent={percent} status="active" aria-label={t.commit} />}
    </Modal>
  );
}

/** Parses a stream of JSON lines. */
async function* jsonLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      if (line.trim()) yield JSON.parse(line) as T;
    }
    if (done) return;
  }
}
