package dev.trainyard.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Linux capabilities that tasks do not have by default and that an administrator may grant. The
 * list is short on purpose: capabilities that no kind of training needs cannot be granted at all.
 */
public enum Capability {
  /** Mounting file systems. A task with this capability controls the node. */
  SYS_ADMIN(true),
  /** Required by mount.cifs. A task with this capability can read every file of the node. */
  DAC_READ_SEARCH(true),
  /** Debugging and profiling the task's own processes. */
  SYS_PTRACE(false),
  /** Locking memory so that it is never swapped; required for RDMA network adapters. */
  IPC_LOCK(false),
  /** Binding memory and threads to processors, and raising the priority of threads. */
  SYS_NICE(false);

  private static final String PREFIX = "CAP_";

  private final boolean controlsNode;

  Capability(boolean controlsNode) {
    this.controlsNode = controlsNode;
  }

  /** Returns whether a task with this capability can access all files and processes of the node. */
  public boolean isPowerOverMachine() {
    return controlsNode;
  }

  /** Finds a capability by name, with or without the prefix, in upper or lower case. */
  public static Optional<Capability> find(String text) {
    String upper = text.strip().toUpperCase(Locale.ROOT);
    String name = upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper;
    return Arrays.stream(values()).filter(capability -> capability.name().equals(name)).findFirst();
  }

  public static String names() {
    return names(List.of(values()));
  }

  public static String names(List<Capability> capabilities) {
    return String.join(", ", capabilities.stream().map(Capability::name).toList());
  }
}
