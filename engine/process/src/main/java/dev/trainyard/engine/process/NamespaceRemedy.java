package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which setting of the kernel keeps ordinary users from making user namespaces. */
final class NamespaceRemedy {
  private NamespaceRemedy() {}

  /**
   * What the machine's administrator can do.
   *
   * @param settings where the kernel shows them, {@code /proc/sys}
   */
  static String find(Path settings) {
    if (is(settings, "user/max_user_namespaces", "0")) {
      return "sysctl -w user.max_user_namespaces=15000";
    }
    if (is(settings, "kernel/unprivileged_userns_clone", "0")) {
      return "sysctl -w kernel.unprivileged_userns_clone=1";
    }
    if (is(settings, "kernel/apparmor_restrict_unprivileged_userns", "1")) {
      return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    }
    return "allow this account user namespaces, overlays and a /proc of its own (in a container:"
        + " less of a seccomp or AppArmor profile)";
  }

  private static boolean is(Path settings, String name, String value) {
    try {
      return Files.readString(settings.resolve(name)).strip().equals(value);
    } catch (IOException e) {
      return false; // not a setting of this kernel
    }
  }
}
