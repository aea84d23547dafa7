package dev.trainyard.scheduler;

import dev.trainyard.model.Message;

/**
 * A resource of which a limit leaves too little.
 *
 * @param what jobs, devices, cpus or memory (in megabytes)
 * @param type device type; empty for any
 */
record Shortage(String what, String type, long needed, long used, long most) {
  Message inVirtualCluster(String name, ClusterResources clusterResources) {
    return message("wait.vc-quota-", clusterResources).with("vc", name);
  }

  Message ofUser(String name, ClusterResources clusterResources) {
    return message("wait.user-limit-", clusterResources).with("user", name);
  }

  Message neverInVirtualCluster(String name, ClusterResources clusterResources) {
    return message("wait.never-vc-quota-", clusterResources).with("vc", name);
  }

  Message neverOfUser(String name, ClusterResources clusterResources) {
    return message("wait.never-user-limit-", clusterResources).with("user", name);
  }

  private Message message(String prefix, ClusterResources clusterResources) {
    Message message =
        Message.of(prefix + what, "needed", needed).with("used", used).with("most", most);
    return what.equals("devices")
        ? message.with("kind", DeviceLabel.of(type, clusterResources))
        : message;
  }
}
