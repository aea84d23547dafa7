import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Alert, Button, Result, Skeleton, Spin, Tabs } from "antd";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { ApiError } from "../api/error";
import { ErrorAlert } from "../api/ErrorAlert";
import { isFinished, mayChange } from "../api/types";
import { PageHead } from "../app/PageHead";
import { useMe } from "../app/session";
import { useConnectionLost, useEvents } from "../events/connection";
import { useTexts } from "../i18n/language";
import { AttemptsTab } from "./AttemptsTab";
import { EventsTab } from "./EventsTab";
import { JobActions } from "./JobActions";
import { LogsTab } from "./log/LogsTab";
import { MissedEvents } from "./MissedEvents";
import { OutputsTab } from "./OutputsTab";
import { Overview } from "./Overview";
import { StateTag } from "../components/StateTag";
import { TagEditor } from "./TagEditor";
import { TasksTab } from "./TasksTab";
import { jobTexts } from "./texts";
import type { Job } from "./types";
import { useViewParams } from "./use-view-params";
import { useJob } from "./use-job";
import "./job.css";

const ConfigTab = lazy(() => import("./ConfigTab"));
const TerminalsTab = lazy(() => import("./terminal/TerminalsTab"));

export default function JobPage() {
  const { user, name } = useParams<{ user: string; name: string }>();
  const id = `${user}~${name}`;
  return <OneJob key={id} id={id} name={name} />;
}

function OneJob({ id, name }: { id: string; name: string }) {
  const t = useTexts(jobTexts);
  const query = useJob(id);
  const [deleted, setDeleted] = useState(false);
  useEvents((events) => {
    if (events.some((event) => event.type === "DELETED" && `${event.user}~${event.name}` === id)) {
      setDeleted(true);
    }
  });
  const job = query.data;
  usePollSharedJob(job, id);
  if (deleted || (query.error instanceof ApiError && query.error.status === 404)) {
    const back = (
      <Link href="/jobs" asChild>
        <Button type="primary">{t.toJobs}</Button>
      </Link>
    );
    return <Result status="404" title={deleted ? t.deleted(name) : t.unknown(name)} subTitle={t.unknownHint} extra={back} />;
  }
  if (!job) {
    return (
      <>
        <PageHead title={name} />
        {query.error ? <ErrorAlert error={query.error} retry={() => void query.refetch()} /> : <Skeleton active paragraph={{ rows: 8 }} />}
      </>
    );
  }
  return (
    <>
      <PageHead title={job.name} actions={<JobActions job={job} id={id} gone={() => setDeleted(true)} />}>
        <StateTag state={job.state} neverFits={job.neverFits} />
        <TagEditor job={job} id={id} />
      </PageHead>
      <Stale />
      <MissedEvents id={id} />
      <JobTabs job={job} id={id} />
    </>
  );
}

/** Polls the shared jobs of other users because events cover only the user's own jobs. */
function usePollSharedJob(job: Job | undefined, id: string): void {
  const me = useMe();
  const client = useQueryClient();
  const polls = job !== undefined && !mayChange(me, job) && !isFinished(job.state);
  useEffect(() => {
    if (!polls) {
      return undefined;
    }
    // Hidden tabs do not poll; a tab that becomes visible refreshes at once.
    const refresh = () => document.visibilityState === "visible" && void client.invalidateQueries({ queryKey: ["job", id] });
    const timer = setInterval(refresh, SHARED_JOB_INTERVAL);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [polls, client, id]);
}

/** Warns that the state may be outdated while the server is unreachable. */
function Stale() {
  const t = useTexts(jobTexts);
  const lost = useConnectionLost();
  const [since, setSince] = useState<number | null>(null);
  const begun = useRef(0);
  useEffect(() => {
    if (!lost) {
      setSince(null);
      return;
    }
    begun.current = Date.now();
    const timer = setInterval(() => setSince(Math.round((Date.now() - begun.current) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [lost]);
  return since !== null && since >= 3 ? <Alert className="job-notice" type="warning" showIcon message={t.stale(since)} /> : null;
}

const SHARED_JOB_INTERVAL = 5_000;

const names = ["overview", "tasks", "logs", "attempts", "events", "config", "terminal", "outputs"] as const;

function JobTabs({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  const [params, change] = useViewParams();
  const mine = mayChange(useMe(), job);
  const shown = names.filter((one) => mine || one !== "terminal");
  const tab = shown.find((one) => one === params.get("tab")) ?? "overview";
  const waiting = <Spin className="page-loading" delay={200} />;
  const panes = {
    overview: <Overview job={job} id={id} />,
    tasks: <TasksTab job={job} id={id} />,
    logs: <LogsTab job={job} />,
    attempts: <AttemptsTab job={job} id={id} />,
    events: <EventsTab id={id} />,
    config: <ConfigTab id={id} />,
    terminal: <TerminalsTab job={job} id={id} shown={tab === "terminal"} />,
    outputs: <OutputsTab job={job} id={id} />,
  };
  return (
    <Tabs
      activeKey={tab}
      onChange={(key) => change({ tab: key === "overview" ? null : key }, true)}
      items={shown.map((name) => ({
        key: name,
        label: t.tabs[name],
        // Keeps open terminals running while another tab is shown.
        destroyOnHidden: name !== "terminal",
        children: <Suspense fallback={waiting}>{panes[name]}</Suspense>,
      }))}
    />
  );
}
