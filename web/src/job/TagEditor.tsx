import { useState } from "react";
import { PlusOutlined } from "@ant-design/icons";
import { App, Button, Input, Tag } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { useErrorText } from "../api/ErrorAlert";
import { mayChange } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { jobTexts } from "./texts";
import type { Job } from "./types";

export function TagEditor({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  const mine = mayChange(useMe(), job);
  const errorText = useErrorText();
  const client = useQueryClient();
  const { message } = App.useApp();
  const [typed, setTyped] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ tag, add }: { tag: string; add: boolean }) =>
      add ? api.put(path`/jobs/${id}/tags/${tag}`) : api.delete(path`/jobs/${id}/tags/${tag}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["job", id] }),
    onError: (error) => void message.error(errorText(error)),
  });
  const add = () => {
    const tag = typed?.trim();
    if (tag) {
      change.mutate({ tag, add: true });
    }
    setTyped(null);
  };
  return (
    <div className="job-tags">
      {job.tags.map((tag) => (
        <Tag
          key={tag}
          title={tag}
          closable={mine}
          closeIcon={<span aria-label={t.removeTag(tag)}>×</span>}
          onClose={(event) => {
            event.preventDefault();
            change.mutate({ tag, add: false });
          }}
        >
          <bdi className="job-cut">{tag}</bdi>
        </Tag>
      ))}
      {!mine ? null : typed === null ? (
        <Button size="small" type="dashed" icon={<PlusOutlined />} onClick={() => setTyped("")}>
          {t.tag}
        </Button>
      ) : (
        <Input
          size="small"
          autoFocus
          maxLength={255}
          aria-label={t.newTag}
          placeholder={t.newTag}
          value={typed}
          onChange={(event) => setTyped(event.target.value.replaceAll(",", ""))}
          onPressEnter={add}
          onBlur={add}
          onKeyDown={(event) => event.key === "Escape" && setTyped(null)}
          style={{ width: 140 }}
        />
      )}
    </div>
  );
}
