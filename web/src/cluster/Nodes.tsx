import { Empty, Skeleton } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { CordonForm } from "./CordonForm";
import { NodeCard } from "./NodeCard";
import { clusterTexts } from "./texts";

const states = ["free", "mine", "others", "cordoned"] as const;

/** All nodes with their resources and current usage. */
export function Nodes() {
  const t = useTexts(clusterTexts);
  const query = useQuery({
    // The key starts with "jobs" so that job events refresh this query, because allocations change with jobs.
    queryKey: ["jobs", "nodes"],
    queryFn: () => api.get<"listNodes">("/nodes"),
    refetchInterval: 15_000,
  });
  if (query.error && !query.data) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <Skeleton active paragraph={{ rows: 8 }} />;
  }
  const { nodes, engine } = query.data;
  return (
    <>
      {nodes.some((node) => node.devices.length > 0) && (
        <ul className="legend" aria-label={t.legend}>
          {states.map((state) => (
            <li key={state}>
              <span className={`cell ${state}`} aria-hidden />
              {t.states[state]}
            </li>
          ))}
        </ul>
      )}
      {nodes.length === 0 && <Empty className="nothing" description={t.emptyNodes} />}
      <div className="nodes">
        {nodes.map((node) => (
          <NodeCard key={node.name} node={node} engine={node.engine ?? engine} />
        ))}
      </div>
      <CordonForm nodes={nodes} />
    </>
  );
}
