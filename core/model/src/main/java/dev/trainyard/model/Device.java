package dev.trainyard.model;

import java.util.List;
import java.util.Locale;

/**
 * An accelerator device of a node.
 *
 * @param index index reported by the vendor's tool
 * @param model normalized name: lower case, without vendor and blanks ("a100", "ascend910"); empty
 *     if unknown
 * @param nodes device files that belong to this device only
 */
public record Device(
    DeviceVendor vendor, int index, String model, DataSize memory, List<String> nodes) {

  public Device {
    nodes = List.copyOf(nodes);
  }

  /**
   * Returns whether the device can be assigned to a request for this type. A device of unknown
   * model, which was declared in the configuration, matches every request.
   */
  public boolean isOfType(String type) {
    return type.isEmpty()
        || model.isEmpty()
        || model.equals(type)
        || model.equals(type.replace(" ", "").toLowerCase(Locale.ROOT));
  }
}
