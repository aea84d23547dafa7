import { Link } from "wouter";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { clusterTexts } from "./texts";
import type { ClusterNode } from "./types";

type NodeJob = ClusterNode["jobs"][number];

/** The jobs on a node, sorted by CPU usage in descending order, so that a runaway job is at the top. */
export function NodeJobs(props: { jobs: readonly NodeJob[] }) {
  const t = useTexts(clusterTexts);
  const formats = useFormats();
  const jobs = [...props.jobs].sort((a, b) => (b.usedCpus ?? 0) - (a.usedCpus ?? 0) || b.cpus - a.cpus);
  return (
    <div className="node-jobs">
      <table aria-label={t.jobsOnNode}>
        <thead>
          <tr>
            <th scope="col">{t.job}</th>
            <th scope="col">{t.user}</th>
            <th scope="col">{t.cluster}</th>
            <th scope="col" className="number">{t.cpus}</th>
            <th scope="col" className="number">{t.usedCpus}</th>
            <th scope="col" className="number">{t.memory}</th>
            <th scope="col">{t.devices}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={`${job.user}~${job.name}`}>
              <td className="node-job">
                {job.user === null ? (
                  t.otherJobs
                ) : (
                  <Link href={`/jobs/${encodeURIComponent(job.user)}/${encodeURIComponent(job.name)}`}>{job.name}</Link>
                )}
              </td>
              <td>{job.user ?? "–"}</td>
              <td>{job.virtualCluster ?? "–"}</td>
              <td className="number">{formats.number(job.cpus)}</td>
              <td className="number">
                {job.usedCpus === null ? "–" : exceeds(job) ? <strong>{formats.number(job.usedCpus)} !</strong> : formats.number(job.usedCpus)}
              </td>
              <td className="number">{formats.memory(job.memoryMB)}</td>
              <td>{job.devices.join(", ") || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns whether the processes use clearly more CPUs than the job requested, which is possible if limits are not enforced. */
function exceeds(job: NodeJob): boolean {
  return job.usedCpus !== null && job.usedCpus > job.cpus + 0.5;
}
