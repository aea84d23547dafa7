import { Alert } from "antd";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { numberAt, textAt } from "../document/shape";
import { effectiveCluster } from "../document/virtual-cluster";
import { useNodes, useVirtualClusters } from "../form-options";
import { submitTexts } from "../texts";
import { useJobForm } from "./context";

/** Compares the resources that the job requests with those that are free on the nodes. */
export function FreeResources() {
  const t = useTexts(submitTexts);
  const format = useFormats();
  const { root, shape } = useJobForm();
  const { data: free } = useNodes();
  const asked = shape.roles(root).reduce(
    (sum, role) => {
      const tasks = numberAt(root, role.tasks) ?? 1;
      return {
        cpus: sum.cpus + tasks * (numberAt(root, role.cpus) ?? 1),
        memory: sum.memory + tasks * (numberAt(root, role.memory) ?? 100),
        devices: sum.devices + tasks * (numberAt(root, role.devices) ?? 0),
      };
    },
    { cpus: 0, memory: 0, devices: 0 },
  );
  const row = (label: string, wanted: string, now: string, all: string, enough: boolean) => (
    <tr>
      <th scope="row">{label}</th>
      <td>{wanted}</td>
      <td className={enough ? "" : "scarce"}>{now}</td>
      <td>{all}</td>
    </tr>
  );
  if (!free) {
    return null;
  }
  const scarce = asked.cpus > free.freeCpus || asked.memory > free.freeMemoryMB || asked.devices > free.freeDevices;
  // A job that is larger than the cluster does not wait for free resources: it can never start, and a warning above the form says so.
  const waits = scarce && asked.cpus <= free.cpus && asked.memory <= free.memoryMB && asked.devices <= free.devices;
  return (
    <>
      <table className="free-now">
        <thead>
          <tr>
            <th scope="col">{t.resources}</th>
            <th scope="col">{t.requested}</th>
            <th scope="col">{t.freeNow}</th>
            <th scope="col">{t.total}</th>
          </tr>
        </thead>
        <tbody>
          {row(t.cpus, format.number(asked.cpus), format.number(free.freeCpus), format.number(free.cpus), asked.cpus <= free.freeCpus)}
          {row(t.memory, format.memory(asked.memory), format.memory(free.freeMemoryMB), format.memory(free.memoryMB), asked.memory <= free.freeMemoryMB)}
          {row(t.devices, format.number(asked.devices), format.number(free.freeDevices), format.number(free.devices), asked.devices <= free.freeDevices)}
        </tbody>
      </table>
      <QuotaLine />
      {waits && <Alert type="info" showIcon message={t.willWait} className="gap" />}
    </>
  );
}

/** The usage and quota of the selected virtual cluster, if it has a quota. */
function QuotaLine() {
  const t = useTexts(submitTexts);
  const format = useFormats();
  const { root, shape } = useJobForm();
  const clusters = useVirtualClusters();
  const available = (clusters.data ?? []).map((one) => one.name);
  const name = effectiveCluster(textAt(root, shape.virtualCluster), available);
  const cluster = clusters.data?.find((one) => one.name === name);
  if (!cluster) {
    return null;
  }
  const parts = [
    cluster.quota.cpus != null ? `${t.cpus} ${format.number(cluster.used.cpus ?? 0)} / ${format.number(cluster.quota.cpus)}` : null,
    cluster.quota.memoryMB != null ? `${t.memory} ${format.memory(cluster.used.memoryMB ?? 0)} / ${format.memory(cluster.quota.memoryMB)}` : null,
    cluster.quota.devices != null ? `${t.devices} ${format.number(cluster.used.devices ?? 0)} / ${format.number(cluster.quota.devices)}` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? <p className="field-hint">{t.quotaOf(cluster.name)} {parts.join(" · ")}</p> : null;
}
