package dev.trainyard.scheduler;

import java.util.Map;

/**
 * All current limits.
 *
 * @param virtualClusters quotas by name; a virtual cluster without an entry has no limit
 * @param defaultUserQuota default limit of each user without an entry in {@code users}
 * @param users quotas by user name
 * @param revokedAccess users whose jobs must not start, in general or in a virtual cluster
 */
public record Quotas(
    Map<String, Quota> virtualClusters,
    Quota defaultUserQuota,
    Map<String, Quota> users,
    RevokedAccess revokedAccess) {
  public static final Quotas NONE = new Quotas(Map.of(), Quota.UNLIMITED, Map.of());

  public Quotas {
    virtualClusters = Map.copyOf(virtualClusters);
    users = Map.copyOf(users);
  }

  public Quotas(
      Map<String, Quota> virtualClusters, Quota defaultUserQuota, Map<String, Quota> users) {
    this(virtualClusters, defaultUserQuota, users, RevokedAccess.NONE);
  }

  Quota ofVirtualCluster(String name) {
    return virtualClusters.getOrDefault(name, Quota.UNLIMITED);
  }

  Quota ofUser(String name) {
    return users.getOrDefault(name, defaultUserQuota);
  }
}
