package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;

/**
 * A named share of the cluster. Groups grant access to the share, and the quota limits its usage.
 */
public record VirtualCluster(String name, String description, Quota quota) {
  /**
   * Name of the virtual cluster that always exists and that applies to jobs that do not specify
   * one.
   */
  public static final String DEFAULT = "default";
}
