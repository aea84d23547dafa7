package dev.trainyard.scheduler;

import java.util.Map;

/**
 * All limits of now.
 *
 * @param virtualClusters by name; those that are not in it have no limit
 * @param everybody of each user who is not among the users
 * @param users by name
 * @param barred whose jobs may not start at all
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
