import { useState } from "react";
import {
  CopyOutlined,
  DeleteOutlined,
  MoreOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  SaveOutlined,
  StopOutlined,
} from "@ant-design/icons";
import { App, Button, Dropdown } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, path } from "../api/client";
import { useErrorText } from "../api/ErrorAlert";
import { isFinished, mayChange } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { CommitDialog } from "./CommitDialog";
import { RerunButton } from "./RerunButton";
import { StopDialog } from "./StopDialog";
import { jobTexts } from "./texts";
import type { Job } from "./types";

/** The actions that are possible in the current state of the job. */
export function JobActions({ job, id, gone }: { job: Job; id: string; gone: () => void }) {
  const t = useTexts(jobTexts);
  const me = useMe();
  const errorText = useErrorText();
  const client = useQueryClient();
  const { message, modal } = App.useApp();
  const [dialog, setDialog] = useState<"stop" | "commit" | null>(null);
  const failed = (error: unknown) => void message.error(errorText(error));
  const act = useMutation({
    mutationFn: (what: "pause" | "resume") => api.post<"pauseJob" | "resumeJob">(path`/jobs/${id}/` + what),
    onSuccess: (after) => client.setQueryData(["job", id], after),
    onError: failed,
  });
  const remove = () =>
    modal.confirm({
      title: t.deleteTitle(job.name),
      content: t.deleteText,
      okText: t.delete,
      okButtonProps: { danger: true },
      onOk: () =>
        api.delete(path`/jobs/${id}`).then(() => {
          void client.invalidateQueries({ queryKey: ["jobs"] });
          gone();
        }, failed),
    });
  const over = isFinished(job.state);
  const canCommit = job.tasks.some((task) => task.engine !== "process" && task.state === "RUNNING");
  const more = [
    ...(canCommit ? [{ key: "commit", icon: <SaveOutlined />, label: t.commit, onClick: () => setDialog("commit") }] : []),
    {
      key: "delete",
      icon: <DeleteOutlined />,
      danger: true,
      disabled: !over && job.state !== "PAUSED",
      label: t.delete,
      title: !over && job.state !== "PAUSED" ? t.deleteLater : "",
      onClick: () => void remove(),
    },
  ];
  const clone = (
    <Link href={`/submit?clone=${encodeURIComponent(id)}`} asChild>
      <Button icon={<CopyOutlined />}>{t.clone}</Button>
    </Link>
  );
  if (!mayChange(me, job)) {
    return clone;
  }
  return (
    <>
      {!over && job.state !== "PAUSED" && (
        <Button danger icon={<StopOutlined />} onClick={() => setDialog("stop")}>
          {t.stop}
        </Button>
      )}
      {job.state === "PAUSED" && (
        <>
          <Button danger icon={<StopOutlined />} onClick={() => setDialog("stop")}>
            {t.stop}
          </Button>
          <Button type="primary" icon={<PlayCircleOutlined />} loading={act.isPending} onClick={() => act.mutate("resume")}>
            {t.resume}
          </Button>
        </>
      )}
      {!over && job.state !== "PAUSED" && job.state !== "STOPPING" && (
        <Button icon={<PauseCircleOutlined />} title={t.pauseHint} loading={act.isPending} onClick={() => act.mutate("pause")}>
          {t.pause}
        </Button>
      )}
      {over && me.user === job.user && <RerunButton id={id} virtualCluster={job.virtualCluster} />}
      {clone}
      <Dropdown trigger={["click"]} menu={{ items: more }}>
        <Button icon={<MoreOutlined />} aria-label={t.moreActions} title={t.moreActions} />
      </Dropdown>
      {dialog === "stop" && <StopDialog job={job} id={id} close={() => setDialog(null)} />}
      {dialog === "commit" && <CommitDialog job={job} id={id} close={() => setDialog(null)} />}
    </>
  );
}
