import { Alert, Button, Card, Progress, Tag, Tooltip } from "antd";
import { api, path } from "../api/client";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { useChange } from "../components/use-change";
import { DeviceCell } from "./DeviceCell";
import { NodeJobs } from "./NodeJobs";
import { clusterTexts } from "./texts";
import type { Isolation, ClusterNode } from "./types";

const levelColours: Record<Isolation, string> = { NONE: "error", SHARED: "warning", PRIVATE: "success" };

export function NodeCard({ node, engine }: { node: ClusterNode; engine: string }) {
  const t = useTexts(clusterTexts);
  const formats = useFormats();
  const { admin } = useMe();
  const { name, cordon, devices } = node;
  const free = devices.filter((one) => one.job === null).length;
  return (
    <Card size="small" role="group" aria-label={name}>
      <div className="node-head">
        <h2>{name}</h2>
        {cordon && <Tag color="error">{t.cordoned}</Tag>}
        <span className="quiet">
          {[engine, node.architecture, t.tasks(node.tasks)]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {admin && (
          <span className="actions">
            <CordonButton node={node} />
          </span>
        )}
      </div>
      {cordon && (
        <Alert
          style={{ marginTop: 8 }}
          type="warning"
          showIcon
          message={t.cordonedBy(cordon.user, formats.time(cordon.since))}
          description={cordon.reason ? <span className="prose">{cordon.reason}</span> : undefined}
        />
      )}
      <div className="node-bars">
        <Bar
          label={t.cpus}
          free={node.freeCpus}
          all={node.cpus}
          freeText={t.free(formats.number(node.freeCpus), formats.number(node.cpus))}
        />
        <Bar
          label={t.memory}
          free={node.freeMemoryMB}
          all={node.memoryMB}
          freeText={t.free(formats.memory(node.freeMemoryMB), formats.memory(node.memoryMB))}
        />
      </div>
      <Tooltip title={t.isolationHint}>
        <span className="quiet">{t.isolation} </span>
      </Tooltip>
      {(Object.keys(t.isolated) as (keyof typeof t.isolated)[]).map((what) => {
        const level = node.isolation[what];
        return (
          <Tag key={what} color={levelColours[level]} bordered={false}>
            {t.isolatedAs(t.isolated[what], what === "network" && level === "NONE" ? t.hostNetwork : t.levels[level])}
          </Tag>
        );
      })}
      <div style={{ marginTop: 8 }} className="quiet">
        {devices.length === 0 ? t.noDevices : t.freeDevices(free, devices.length)}
      </div>
      {devices.length > 0 && (
        <ul className="cells" aria-label={t.devices}>
          {devices.map((device) => (
            <DeviceCell key={device.index} device={device} cordoned={Boolean(cordon)} />
          ))}
        </ul>
      )}
      {node.jobs.length > 0 && <NodeJobs jobs={node.jobs} />}
    </Card>
  );
}

function Bar(props: { label: string; free: number; all: number; freeText: string }) {
  const used = props.all > 0 ? Math.round(((props.all - props.free) / props.all) * 100) : 0;
  return (
    <div>
      {props.label} <span className="quiet">{props.freeText}</span>
      <Progress percent={used} size="small" showInfo={false} status="normal" aria-label={`${props.label} ${props.freeText}`} />
    </div>
  );
}

function CordonButton({ node }: { node: ClusterNode }) {
  const t = useTexts(clusterTexts);
  const [, setCordoned] = useSearchParam("cordon");
  const uncordon = useChange(() => api.post<"uncordonNode">(path`/nodes/${node.name}/uncordon`), {
    about: ["jobs"],
    successText: t.uncordonDone(node.name),
  });
  // Separate keys: otherwise React would reuse the button and keep its loading indicator.
  return node.cordon ? (
    <Button key="uncordon" size="small" loading={uncordon.isPending} onClick={() => uncordon.mutate()}>
      {t.uncordon}
    </Button>
  ) : (
    <Button key="cordon" size="small" onClick={() => setCordoned(node.name)}>
      {t.cordon}
    </Button>
  );
}
