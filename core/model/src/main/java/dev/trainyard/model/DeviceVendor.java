package dev.trainyard.model;

/** Who makes a card, which decides how a task gets to see it. */
public enum DeviceVendor {
  NVIDIA("GPU"),
  AMD("GPU"),
  ASCEND("NPU");

  private final String kind;

  DeviceVendor(String kind) {
    this.kind = kind;
  }

  /** What people call such a card. */
  public String kind() {
    return kind;
  }
}
