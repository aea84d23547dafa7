package dev.trainyard.scheduler;

import java.util.Map;

/**
 * All current limits.
 *
 * @param virtualClusters by name; a virtual cluster without an entry has no limit
 * @param everybody default limit of each user without an entry in {@code users}
 * @param users by name
 * @param barred users and virtual clusters whose jobs may not start at all
 */
public record Quotas(
    Map<String, Quota> virtualClusters,
    Quota everybody,
    Map<String, Quota> users,
    RevokedAccess barred) {
  public static final Quotas NONE = new Quotas(Map.of(), Quota.UNLIMITED, Map.of());

  public Quotas {
    virtualClusters = Map.copyOf(virtualClusters);
    users = Map.copyOf(users);
  }

  public Quotas(Map<String, Quota> virtualClusters, Quota everybody, Map<String, Quota> users) {
    this(virtualClusters, everybody, users, RevokedAccess.NOBODY);
  }

  Quota ofVirtualCluster(String name) {
    return virtualClusters.getOrDefault(name, Quota.UNLIMITED);
  }

  Quota ofUser(String name) {
    return users.getOrDefault(name, everybody);
  }
}
