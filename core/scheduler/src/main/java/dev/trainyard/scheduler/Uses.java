package dev.trainyard.scheduler;

import java.util.Map;

/** Who uses what at this moment; who is not in it uses nothing. */
public record Uses(Map<String, Use> virtualClusters, Map<String, Use> users) {
  public static final Uses NONE = new Uses(Map.of(), Map.of());

  public Uses {
    virtualClusters = Map.copyOf(virtualClusters);
    users = Map.copyOf(users);
  }

  public Use ofVirtualCluster(String name) {
    return virtualClusters.getOrDefault(name, Use.NOTHING);
  }

  public Use ofUser(String name) {
    return users.getOrDefault(name, Use.NOTHING);
  }
}
