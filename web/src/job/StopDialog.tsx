import { useState } from "react";
import { Form, InputNumber, Modal } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { jobTexts } from "./texts";
import type { Job } from "./types";

const LONGEST = 604_800;

/** Asks for confirmation and for the grace period. */
export function StopDialog({ job, id, close }: { job: Job; id: string; close: () => void }) {
  const t = useTexts(jobTexts);
  const client = useQueryClient();
  const [seconds, setSeconds] = useState<number | null>(null);
  const stop = useMutation({
    mutationFn: () => api.post<"stopJob">(path`/jobs/${id}/stop`, undefined, { query: { graceSeconds: seconds } }),
    onSuccess: (after) => {
      client.setQueryData(["job", id], after);
      close();
    },
  });
  return (
    <Modal
      open
      title={t.stopTitle(job.name)}
      okText={t.stop}
      okButtonProps={{ danger: true, loading: stop.isPending }}
      onOk={() => stop.mutate()}
      onCancel={close}
    >
      <p>{t.stopText}</p>
      {stop.error && <ErrorAlert error={stop.error} />}
      <Form layout="vertical" onFinish={() => stop.mutate()}>
        <Form.Item label={t.grace} extra={t.graceHint} htmlFor="grace">
          <InputNumber id="grace" min={0} max={LONGEST} precision={0} value={seconds} onChange={setSeconds} suffix={t.seconds} style={{ width: 200 }} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
