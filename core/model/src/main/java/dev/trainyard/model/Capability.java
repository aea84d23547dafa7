package dev.trainyard.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rights of the kernel that a task does not have by itself and an administrator may grant. The list
 * is short on purpose: what no kind of training needs can't be granted at all.
 */
public enum Capability {
  /** Mounting file systems. Its owner has the machine. */
  SYS_ADMIN(true),
  /** What mount.cifs insists on. Its owner can read every file of the machine. */
  DAC_READ_SEARCH(true),
  /** Debuggers and profilers, of the task's own processes. */
  SYS_PTRACE(false),
  /** Memory that is never swapped, as network cards for RDMA want it. */
  IPC_LOCK(false),
  /** Binding memory and threads to a processor; also going before the threads of others. */
  SYS_NICE(false);

  private static final String PREFIX = "CAP_";

  private final boolean powerOverMachine;

  Capability(boolean powerOverMachine) {
    this.powerOverMachine = powerOverMachine;
  }

  /** Whether a task with it can get to everything on the machine, whoever's it is. */
  public boolean isPowerOverMachine() {
    return powerOverMachine;
  }

  /** As people write it: with or without the prefix, in capital or small letters. */
  public static Optional<Capability> find(String text) {
    String upper = text.strip().toUpperCase(Locale.ROOT);
    String name = upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper;
    return Arrays.stream(values()).filter(one -> one.name().equals(name)).findFirst();
  }

  public static String names() {
    return names(List.of(values()));
  }

  public static String names(List<Capability> some) {
    return String.join(", ", some.stream().map(Capability::name).toList());
  }
}
