import { lazy, Suspense } from "react";
import { App } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { useSayError } from "../api/ErrorAlert";
import type { JobLine } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { forEach, type Action, type Outcome } from "./actions";
import { jobsTexts } from "./texts";

/** Fields of forms are much code, and few visits of the list need one. */
const TagForm = lazy(() => import("./TagForm"));

const MOST_NAMED = 5;

/** Stop, delete and tag with a question before and a word after; for one job or many. */
export function useJobActions() {
  const t = useTexts(jobsTexts);
  const sayError = useSayError();
  const { modal, message } = App.useApp();
  const client = useQueryClient();
  const me = useMe();
  // An administrator's question says whose job it is.
  const nameOf = (job: JobLine | undefined) => (job ? (job.user === me.user ? job.name : `${job.user}~${job.name}`) : "");
  type Title = (count: number, name: string) => string;
  const titleOf = (title: Title, jobs: readonly JobLine[]) => <span className="breaking">{title(jobs.length, nameOf(jobs[0]))}</span>;

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

  const ask = (title: Title, loss: string, okText: string, jobs: readonly JobLine[], action: Action) =>
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
    stop: (jobs: readonly JobLine[]) => ask(t.stopTitle, t.stopText, t.stop, jobs, { action: "stop" }),
    remove: (jobs: readonly JobLine[]) => ask(t.removeTitle, t.removeText, t.remove, jobs, { action: "delete" }),
    tag: (jobs: readonly JobLine[]) => {
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
