package dev.trainyard.scheduler;

import dev.trainyard.model.Device;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Display name of the devices that a job requests. */
final class DeviceLabel {
  private DeviceLabel() {}

  /** Returns a name such as "GPU", or "ascend910 NPU" if a type is requested. */
  static String of(String type, ClusterResources clusterResources) {
    Set<String> kinds =
        clusterResources
            .devices()
            .filter(device -> device.isOfType(type))
            .map(Device::vendor)
            .map(vendor -> vendor.kind())
            .collect(Collectors.toCollection(TreeSet::new));
    if (kinds.isEmpty()) {
      kinds.add(kindByName(type));
    }
    String kind = String.join("/", kinds);
    return type.isEmpty() ? kind : type + " " + kind;
  }

  private static String kindByName(String type) {
    String name = type.toLowerCase(Locale.ROOT);
    return name.contains("ascend") || name.contains("npu") ? "NPU" : "GPU";
  }
}
