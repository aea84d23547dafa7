package dev.trainyard.model;

import java.util.List;
import java.util.Locale;

/**
 * One accelerator card of a node.
 *
 * @param index as the vendor's tool counts
 * @param model as people write it: lower case, no vendor, no blanks ("a100", "ascend910"); empty if
 *     unknown
 * @param nodes the device files that belong to this card alone
 */
public record Device(
    DeviceVendor vendor, int index, String model, DataSize memory, List<String> nodes) {

  public Device {
    nodes = List.copyOf(nodes);
  }

  /**
   * Whether a request for this type may get the card. A card of unknown model, as somebody declared
   * it, contradicts no request.
   */
  public boolean isOfType(String type) {
    return type.isEmpty()
        || model.isEmpty()
        || model.equals(type)
        || model.equals(type.replace(" ", "").toLowerCase(Locale.ROOT));
  }
}
