import { memo, useEffect, useState } from "react";
import { SearchOutlined } from "@ant-design/icons";
import { Button, Segmented, Select } from "antd";
// Not from "antd", whose Input includes the password, text area and OTP fields.
import Input from "antd/es/input/Input";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { JobState } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { DayRange } from "../components/DayRange";
import { stateTexts } from "../components/state-texts";
import { jobsTexts } from "./texts";
import { hasFilters, noFilters, type JobsView, type Scope } from "./view";

const DEBOUNCE = 300;
/** The option for a custom range of days. */
const OWN = -1;

/** The filters. Memoized because rendering its fields costs more than the rows below. */
export const Filters = memo(function Filters(props: { view: JobsView; change: (part: Partial<JobsView>) => void }) {
  const { view, change } = props;
  const t = useTexts(jobsTexts);
  const states = useTexts(stateTexts);
  const { admin, team } = useMe();
  return (
    <div className="jobs-filters" role="search">
      {(admin || team) && (
        <Segmented
          aria-label={t.scope}
          value={view.scope}
          options={[
            { value: "mine", label: t.mine },
            ...(team ? [{ value: "team", label: t.team }] : []),
            ...(admin ? [{ value: "all", label: t.all }] : []),
          ]}
          onChange={(scope) => change({ scope: scope as Scope, users: [] })}
        />
      )}
      <Keyword value={view.keyword} found={(keyword) => change({ keyword })} />
      <Select
        mode="multiple"
        className="filter"
        aria-label={t.state}
        placeholder={t.anyState}
        maxTagCount="responsive"
        showSearch={false}
        value={[...view.states]}
        options={Object.entries(states).map(([value, label]) => ({ value: value as JobState, label }))}
        onChange={(chosen) => change({ states: chosen })}
      />
      <ClusterFilter chosen={view.clusters} choose={(clusters) => change({ clusters })} />
      {view.scope !== "mine" && (
        <Words label={t.user} placeholder={t.anyUser} words={view.users} change={(users) => change({ users })} />
      )}
      <Words label={t.tags} placeholder={t.anyTag} words={view.tags} change={(tags) => change({ tags })} />
      <Select
        className="filter"
        aria-label={t.since}
        value={view.range ? OWN : (view.days ?? 0)}
        options={[
          { value: 0, label: t.anyTime },
          { value: 1, label: t.day },
          { value: 7, label: t.week },
          { value: 30, label: t.month },
          { value: OWN, label: t.ownDates },
        ]}
        onChange={(days) => change({ days: days > 0 ? days : null, range: days === OWN ? { since: "", until: "" } : null })}
      />
      {view.range && <DayRange days={view.range} change={(range) => change({ range })} />}
      {hasFilters(view) && (
        <Button type="link" onClick={() => change(noFilters)}>
          {t.clear}
        </Button>
      )}
    </div>
  );
});

/** Sends the request when the user stops typing. */
function Keyword(props: { value: string; found: (keyword: string) => void }) {
  const t = useTexts(jobsTexts);
  const [typed, setTyped] = useState(props.value);
  useEffect(() => setTyped(props.value), [props.value]);
  useEffect(() => {
    if (typed === props.value) {
      return;
    }
    const timer = setTimeout(() => props.found(typed), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [typed, props]);
  return (
    <Input
      className="keyword"
      type="search"
      prefix={<SearchOutlined />}
      placeholder={t.search}
      aria-label={t.search}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onPressEnter={() => props.found(typed)}
    />
  );
}

function ClusterFilter(props: { chosen: readonly string[]; choose: (clusters: string[]) => void }) {
  const t = useTexts(jobsTexts);
  const clusters = useQuery({
    queryKey: ["virtual-clusters"],
    queryFn: () => api.get<"listVirtualClusters">("/virtual-clusters"),
    staleTime: 60_000,
  });
  return (
    <Select
      mode="multiple"
      className="filter"
      aria-label={t.cluster}
      placeholder={t.anyCluster}
      maxTagCount="responsive"
      value={[...props.chosen]}
      options={(clusters.data?.virtualClusters ?? []).map(({ name }) => ({ value: name, label: name }))}
      onChange={props.choose}
    />
  );
}

function Words(props: { label: string; placeholder: string; words: readonly string[]; change: (words: string[]) => void }) {
  return (
    <Select
      mode="tags"
      className="filter"
      aria-label={props.label}
      placeholder={props.placeholder}
      maxTagCount="responsive"
      tokenSeparators={[","]}
      open={false}
      suffixIcon={null}
      value={[...props.words]}
      onChange={props.change}
    />
  );
}
