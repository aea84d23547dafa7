package dev.trainyard.scheduler;

import java.util.Map;

/** Current usage by virtual cluster and by user; a name without an entry uses nothing. */
public record UsageSnapshot(
    Map<String, ResourceUsage> virtualClusters, Map<String, ResourceUsage> users) {
  public static final UsageSnapshot NONE = new UsageSnapshot(Map.of(), Map.of());

  public UsageSnapshot {
    virtualClusters = Map.copyOf(virtualClusters);
    users = Map.copyOf(users);
  }

  public ResourceUsage ofVirtualCluster(String name) {
    return virtualClusters.getOrDefault(name, ResourceUsage.NOTHING);
  }

  public ResourceUsage ofUser(String name) {
    return users.getOrDefault(name, ResourceUsage.NOTHING);
  }
}
