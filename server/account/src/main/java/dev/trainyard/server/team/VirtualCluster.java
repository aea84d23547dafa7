package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;

/** A named share of the cluster: groups grant access to it, the quota limits its usage. */
public record VirtualCluster(String name, String description, Quota quota) {
  /** Name of the virtual cluster of jobs that do not specify one; it always exists. */
  public static final String DEFAULT = "default";
}
