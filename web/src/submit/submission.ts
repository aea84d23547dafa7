import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { useLocation } from "wouter";
import { api } from "../api/client";
import { ApiError, ConnectionError, type Problem } from "../api/error";
import { useErrorText } from "../api/ErrorAlert";
import { messageText } from "../api/messages";
import { useLanguage, useTexts } from "../i18n/language";
import type { Shape } from "./document/shape";
import { problemsOf } from "./problems";
import { submitTexts } from "./texts";

/** Submits a job file and opens the job list; if the file is rejected, calls `reject` with its problems. */
export function useSubmission(reject: (problems: readonly Problem[], text: string) => void, finish: () => void) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const errorText = useErrorText();
  const { message, notification } = App.useApp();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (job: { text: string; shape: Shape | null }) =>
      api.post<"submitJob">("/jobs", job.text, { headers: { "Content-Type": "text/plain; charset=utf-8" } }),
    onSuccess: async (job) => {
      finish();
      void message.success(t.submitted(job.name));
      if (job.warnings.length > 0) {
        notification.warning({
          message: t.warnings,
          description: job.warnings.map((warning) => messageText(warning, language)).join("\n"),
          duration: 12,
        });
      }
      // The list must not show cached data from before the submission.
      await client.invalidateQueries({ queryKey: ["jobs"], refetchType: "none" });
      navigate("/jobs");
    },
    onError: (error, job) => {
      if (error instanceof ConnectionError) {
        void message.error(t.serverUnreachable);
      } else if (error instanceof ApiError && error.status < 500 && error.code !== "SIGN_IN_REQUIRED") {
        reject(problemsOf(error, job.shape), job.text);
      } else {
        void message.error(errorText(error));
      }
    },
  });
}
