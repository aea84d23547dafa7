import { changed, open } from "./job-document";
import { put, shapeOf, textAt } from "./shape";

const DEFAULT = "default";

/**
 * Returns the virtual cluster in which the server runs a job: a file without a virtual cluster, or
 * with `default`, means the only available one if `default` is not available.
 */
export function effectiveCluster(written: string, available: readonly string[]): string {
  const requested = written || DEFAULT;
  const only = available.length === 1 ? available[0] : undefined;
  return requested === DEFAULT && only !== undefined ? only : requested;
}

/**
 * Returns the job file with the virtual cluster in which the job ran, which may be another one than the file names, such as that
 * of `trainyard submit --vc`. A cluster that is not available is not added.
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
