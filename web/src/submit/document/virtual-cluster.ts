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
