package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;

/**
 * A share of the machines under a name: who may use it is said by groups, how much by the quota.
 */
public record VirtualCluster(String name, String description, Quota quota) {
  /** Where jobs run that name none; it always exists. */
  public static final String DEFAULT = "default";
}
