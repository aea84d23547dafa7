package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Caller;
import java.util.List;
import java.util.OptionalLong;

/** Which virtual clusters somebody may use. */
@FunctionalInterface
interface PaiClusters {
  String DEFAULT = "default";

  /** The only one, of all there is. */
  PaiClusters ONE = _ -> List.of(Cluster.unlimited(DEFAULT));

  List<Cluster> visibleTo(Caller caller);

  /** A virtual cluster with its quota, as far as it has one. */
  record Cluster(String name, OptionalLong cpus, OptionalLong memory, OptionalLong devices) {
    static Cluster unlimited(String name) {
      return new Cluster(name, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    Inventory.Amount within(Inventory.Amount whole) {
      return new Inventory.Amount(
          Math.min(whole.cpus(), cpus.orElse(Long.MAX_VALUE)),
          Math.min(whole.memory(), memory.orElse(Long.MAX_VALUE)),
          Math.min(whole.devices(), devices.orElse(Long.MAX_VALUE)));
    }
  }
}
