import { RedoOutlined } from "@ant-design/icons";
import { App, Button } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, path } from "../api/client";
import { ApiError } from "../api/error";
import { useErrorText } from "../api/ErrorAlert";
import { jobPath } from "../jobs/columns";
import { useTexts } from "../i18n/language";
import { jobTexts } from "./texts";

/**
 * Submits the file of a finished job again, to the same virtual cluster and under the same name with a number. If the server
 * rejects the file, for example because its secrets are masked, the form opens instead and shows the problems.
 */
export function RerunButton({ id, virtualCluster }: { id: string; virtualCluster: string }) {
  const t = useTexts(jobTexts);
  const errorText = useErrorText();
  const client = useQueryClient();
  const { message } = App.useApp();
  const [, navigate] = useLocation();
  const rerun = useMutation({
    mutationFn: async () => {
      const file = await (await api.raw("GET", path`/jobs/${id}/config`)).text();
      return api.post<"submitJob">(path`/jobs?suffix=true&virtualCluster=${virtualCluster}`, file, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
    },
    onSuccess: async (job) => {
      await client.invalidateQueries({ queryKey: ["jobs"], refetchType: "none" });
      void message.success(t.rerunDone(job.name));
      navigate(jobPath(job));
    },
    onError: (error) => {
      if (error instanceof ApiError && error.problems.length > 0) {
        void message.info(t.rerunProblems);
        navigate(`/submit?clone=${encodeURIComponent(id)}`);
      } else {
        void message.error(errorText(error));
      }
    },
  });
  return (
    <Button type="primary" icon={<RedoOutlined />} title={t.rerunHint} loading={rerun.isPending} onClick={() => rerun.mutate()}>
      {t.rerun}
    </Button>
  );
}
