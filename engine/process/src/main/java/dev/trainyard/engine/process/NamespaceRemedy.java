package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the kernel setting that prevents ordinary users from creating user namespaces. */
final class NamespaceRemedy {
  private NamespaceRemedy() {}

  /**
   * Returns the remedy for the administrator of the host.
   *
   * @param settings root of the kernel's settings, {@code /proc/sys}
   */
  static String find(Path settings) {
    if (hasValue(settings, "user/max_user_namespaces", "0")) {
      return "sysctl -w user.max_user_namespaces=15000";
    }
    if (hasValue(settings, "kernel/unprivileged_userns_clone", "0")) {
      return "sysctl -w kernel.unprivileged_userns_clone=1";
    }
    if (hasValue(settings, "kernel/apparmor_restrict_unprivileged_userns", "1")) {
      return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    }
    return "allow this account to use user namespaces, overlays and a private /proc (in a"
        + " container: use less restrictive seccomp and AppArmor profiles)";
  }

  private static boolean hasValue(Path settings, String name, String value) {
    try {
      return Files.readString(settings.resolve(name)).strip().equals(value);
    } catch (IOException e) {
      return false; // this kernel does not have the setting
    }
  }
}
