import { changed, open } from "./job-document";
import { put, shapeOf, textAt } from "./shape";

const DEFAULT = "default";

/**
 * Returns the virtual cluster in which the server runs a job. If the job file names no virtual cluster
 * or `default`, and only one virtual cluster is available, the job runs in that virtual cluster.
 */
export function effectiveCluster(written: string, available: readonly string[]): string {
  const requested = written || DEFAULT;
  const only = available.length === 1 ? available[0] : undefined;
  return requested === DEFAULT && only !== undefined ? only : requested;
}

/**
 * Returns the job file with the virtual cluster in which the job ran. The file may name a different one, for example because the
 * job was submitted with `trainyard submit --vc`. A virtual cluster that is not available is not added.
 */
export function inCluster(text: string, cluster: string, available: readonly string[]): string {
  const opened = open(text);
  if (!("document" in opened)) {
    return text;
  }
  const at = shapeOf(opened.document.root).virtualCluster;
  const before = effectiveCluster(textAt(opened.document.root, at), available);
  return before === cluster || !available.includes(cluster) ? text : changed(text, (document) => put(document, at, cluster));
}
