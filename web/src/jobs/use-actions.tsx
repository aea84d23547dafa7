import { lazy, Suspense } from "react";
import { App } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { useErrorText } from "../api/ErrorAlert";
import type { JobListItem } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { forEach, type Action, type Outcome } from "./actions";
import { jobsTexts } from "./texts";

/** Loaded on demand: form fields are large, and few visits of the list need one. */
const TagForm = lazy(() => import("./TagForm"));

const MOST_NAMED = 5;

/** Stops, deletes or tags one or more jobs, with a confirmation before and a message after. */
export function useJobActions() {
  const t = useTexts(jobsTexts);
  const errorText = useErrorText();
  const { modal, message } = App.useApp();
  const client = useQueryClient();
  const me = useMe();
  // Other users' jobs are shown with the owner.
  const nameOf = (job: JobListItem | undefined) => (job ? (job.user === me.user ? job.name : `${job.user}~${job.name}`) : "");
  type Title = (count: number, name: string) => string;
  const titleOf = (title: Title, jobs: readonly JobListItem[]) => <span className="breaking">{title(jobs.length, nameOf(jobs[0]))}</span>;

  const report = (outcome: Outcome, action: Action) => {
    void client.invalidateQueries({ queryKey: ["jobs"] });
    if (outcome.failures.length === 0) {
      message.success(t.done[action.action](outcome.done));
      return;
    }
    modal.warning({
      title: t.partly(outcome.done, outcome.failures.length),
      content: (
        <ul className="problems">
          {outcome.failures.slice(0, 20).map(({ job, error }) => (
            <li key={job.id}>
              <strong>{job.name}</strong> {errorText(error)}
            </li>
          ))}
        </ul>
      ),
    });
  };

  const perform = async (jobs: readonly JobListItem[], action: Action) => {
    try {
      report(await forEach(jobs, action), action);
    } catch (error) {
      message.error(errorText(error));
    }
  };

  const ask = (title: Title, loss: string, okText: string, jobs: readonly JobListItem[], action: Action) =>
    modal.confirm({
      title: titleOf(title, jobs),
      content: (
        <>
          {jobs.length > 1 && (
            <ul className="problems breaking">
              {jobs.slice(0, MOST_NAMED).map((job) => (
                <li key={job.id}>{nameOf(job)}</li>
              ))}
              {jobs.length > MOST_NAMED && <li>{t.andMore(jobs.length - MOST_NAMED)}</li>}
            </ul>
          )}
          {loss}
        </>
      ),
      okText,
      okButtonProps: { danger: true },
      cancelText: t.cancel,
      onOk: () => perform(jobs, action),
    });

  return {
    stop: (jobs: readonly JobListItem[]) => ask(t.stopTitle, t.stopText, t.stop, jobs, { action: "stop" }),
    remove: (jobs: readonly JobListItem[]) => ask(t.removeTitle, t.removeText, t.remove, jobs, { action: "delete" }),
    tag: (jobs: readonly JobListItem[]) => {
      let typed = "";
      modal.confirm({
        title: titleOf(t.tagTitle, jobs),
        icon: null,
        okText: t.tag,
        cancelText: t.cancel,
        content: (
          <Suspense>
            <TagForm changed={(tag) => (typed = tag)} />
          </Suspense>
        ),
        // Because of this parameter, the dialog closes only when `close` is called, so it stays open if the tag is invalid.
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
