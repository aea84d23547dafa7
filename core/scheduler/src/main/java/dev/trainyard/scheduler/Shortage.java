package dev.trainyard.scheduler;

import dev.trainyard.model.Message;

/**
 * A resource whose limit would be exceeded.
 *
 * @param resource {@code jobs}, {@code devices}, {@code cpus} or {@code memory} (in megabytes)
 * @param type device type; empty for any
 */
record Shortage(String resource, String type, long neededAmount, long usedAmount, long limit) {
  Message virtualClusterMessage(String name, ClusterResources clusterResources) {
    return message("wait.vc-quota-", clusterResources).with("vc", name);
  }

  Message userMessage(String name, ClusterResources clusterResources) {
    return message("wait.user-limit-", clusterResources).with("user", name);
  }

  Message neverVirtualClusterMessage(String name, ClusterResources clusterResources) {
    return message("wait.never-vc-quota-", clusterResources).with("vc", name);
  }

  Message neverUserMessage(String name, ClusterResources clusterResources) {
    return message("wait.never-user-limit-", clusterResources).with("user", name);
  }

  private Message message(String prefix, ClusterResources clusterResources) {
    Message message =
        Message.of(prefix + resource, "needed", neededAmount)
            .with("used", usedAmount)
            .with("most", limit);
    return resource.equals("devices")
        ? message.with("kind", DeviceLabel.of(type, clusterResources))
        : message;
  }
}
