import { Empty, Skeleton } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { Refusal } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { CordonForm } from "./CordonForm";
import { MachineCard } from "./NodeCard";
import { clusterTexts } from "./texts";
import type { Machine } from "./types";

const states = ["free", "mine", "others", "cordoned"] as const;

/** Every machine with what it has and who uses it, as of now. */
export function Machines() {
  const t = useTexts(clusterTexts);
  const query = useQuery({
    // Places change when jobs do: events read it anew.
    queryKey: ["jobs", "nodes"],
    queryFn: () => api.get<{ engine: string; nodes: Machine[] }>("/nodes"),
    refetchInterval: 15_000,
  });
  if (query.error && !query.data) {
    return <Refusal error={query.error} retry={() => void query.refetch()} />;
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
          <MachineCard key={node.name} machine={node} engine={node.engine ?? engine} />
        ))}
      </div>
      <CordonForm nodes={nodes} />
    </>
  );
}
