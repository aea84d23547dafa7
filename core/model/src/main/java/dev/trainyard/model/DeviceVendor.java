package dev.trainyard.model;

/** Vendor of a device; it determines how a task gets access to the device. */
public enum DeviceVendor {
  NVIDIA("GPU"),
  AMD("GPU"),
  ASCEND("NPU");

  private final String kind;

  DeviceVendor(String kind) {
    this.kind = kind;
  }

  /** Returns the usual name for a device of this vendor. */
  public String kind() {
    return kind;
  }
}
