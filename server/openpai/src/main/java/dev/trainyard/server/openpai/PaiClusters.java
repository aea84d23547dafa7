package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Caller;
import java.util.List;
import java.util.OptionalLong;

/** Returns the virtual clusters that a user may use. */
@FunctionalInterface
interface PaiClusters {
  String DEFAULT = "default";

  List<Cluster> visibleTo(Caller caller);

  /** A virtual cluster with its quotas; a quota is empty if there is none for the resource. */
  record Cluster(String name, OptionalLong cpus, OptionalLong memory, OptionalLong devices) {
    Inventory.Amount within(Inventory.Amount total) {
      return new Inventory.Amount(
          Math.min(total.cpus(), cpus.orElse(Long.MAX_VALUE)),
          Math.min(total.memory(), memory.orElse(Long.MAX_VALUE)),
          Math.min(total.devices(), devices.orElse(Long.MAX_VALUE)));
    }
  }
}
