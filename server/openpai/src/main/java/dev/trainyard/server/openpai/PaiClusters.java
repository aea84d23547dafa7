package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Caller;
import java.util.List;
import java.util.OptionalLong;

/** Returns the virtual clusters that a user may use. */
@FunctionalInterface
interface PaiClusters {
  String DEFAULT = "default";

  List<Cluster> visibleTo(Caller caller);

  /** A virtual cluster with its quota, if it has one. */
  record Cluster(String name, OptionalLong cpus, OptionalLong memory, OptionalLong devices) {
    Inventory.Amount within(Inventory.Amount whole) {
      return new Inventory.Amount(
          Math.min(whole.cpus(), cpus.orElse(Long.MAX_VALUE)),
          Math.min(whole.memory(), memory.orElse(Long.MAX_VALUE)),
          Math.min(whole.devices(), devices.orElse(Long.MAX_VALUE)));
    }
  }
}
