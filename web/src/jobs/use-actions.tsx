import { lazy, Suspense } from "react";
import { App } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { useSayError } from "../api/Refusal";
import type { JobLine } from "../api/types";
import { useTexts } from "../i18n/language";
import { forEach, type Action, type Outcome } from "./actions";
import { jobsTexts } from "./texts";

/** Fields of forms are much code, and few visits of the list need one. */
const TagForm = lazy(() => import("./TagForm"));

/** Stop, delete and tag with a question before and a word after; for one job or many. */
export function useJobActions() {
  const t = useTexts(jobsTexts);
  const sayError = useSayError();
  const { modal, message } = App.useApp();
  const client = useQueryClient();

  const tell = (outcome: Outcome) => {
    void client.invalidateQueries({ queryKey: ["jobs"] });
    if (outcome.failures.length === 0) {
      message.success(t.done(outcome.done));
      return;
    }
    modal.warning({
      title: t.partly(outcome.done, outcome.failures.length),
      content: (
        <ul className="problems">
          {outcome.failures.slice(0, 20).map(({ job, error }) => (
            <li key={job.id}>
              <strong>{job.name}</strong> {sayError(error)}
            </li>
          ))}
        </ul>
      ),
    });
  };

  const perform = async (jobs: readonly JobLine[], action: Action) => {
    try {
      tell(await forEach(jobs, action));
    } catch (error) {
      message.error(sayError(error));
    }
  };

  const ask = (title: string, content: string, okText: string, jobs: readonly JobLine[], action: Action) =>
    modal.confirm({
      title,
      content,
      okText,
      okButtonProps: { danger: true },
      cancelText: t.cancel,
      onOk: () => perform(jobs, action),
    });

  return {
    stop: (jobs: readonly JobLine[]) => ask(t.stopTitle(jobs.length), t.stopText, t.stop, jobs, { action: "stop" }),
    remove: (jobs: readonly JobLine[]) => ask(t.removeTitle(jobs.length), t.removeText, t.remove, jobs, { action: "delete" }),
    tag: (jobs: readonly JobLine[]) => {
      let typed = "";
      modal.confirm({
        title: t.tagTitle(jobs.length),
        icon: null,
        okText: t.tag,
        cancelText: t.cancel,
        content: (
          <Suspense>
            <TagForm changed={(tag) => (typed = tag)} />
          </Suspense>
        ),
        // Taking it, we close the dialog ourselves: it stays open for a tag that can't be one.
        onOk: (close: () => void) => {
          const tag = typed.trim();
          if (tag === "" || tag.includes(",")) {
            message.error(t.tagNeeded);
            return undefined;
          }
          return perform(jobs, { action: "tag", tag }).then(close);
        },
      });
    },
  };
}
