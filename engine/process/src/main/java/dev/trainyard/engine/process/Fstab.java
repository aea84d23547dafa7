package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A table of mounts for {@code mount --all}, so that a single program run creates all mounts. The
 * format has an escape for every special character, so paths do not have to be trusted.
 *
 * <p>Paths may be relative to the directory in which the program is started.
 */
final class Fstab {
  /** Options for all files that a user can write. */
  private static final String NOSUID_NODEV = "nosuid,nodev";

  private final List<String> lines = new ArrayList<>();
  private final Set<String> targets = new LinkedHashSet<>();
  private final MountTable hostMounts;

  /**
   * @param hostMounts the host's mounts; a bind mount has to keep the flags of its source mount
   */
  Fstab(MountTable hostMounts) {
    this.hostMounts = hostMounts;
  }

  Fstab bind(String source, String target) {
    return line(source, target, "none", "bind," + NOSUID_NODEV);
  }

  /**
   * Adds a read-only bind mount of an absolute host path; the kernel requires that the flags of the
   * source mount (nosuid, nodev, noexec) are repeated.
   */
  Fstab readOnlyBind(Path source, String target) {
    return line(source.toString(), target, "none", "bind," + NOSUID_NODEV)
        .remountReadOnly(source, target);
  }

  /**
   * Adds a read-only bind mount that includes all mounts below the source, because the kernel does
   * not allow an ordinary user to omit these mounts.
   */
  Fstab bindTree(Path source, String target) {
    return line(source.toString(), target, "none", "rbind").remountReadOnly(source, target);
  }

  Fstab remountReadOnly(Path source, String target) {
    Set<String> flags = new TreeSet<>(Set.of("nosuid", "nodev"));
    hostMounts.mountOf(source).ifPresent(mount -> flags.addAll(mount.flags()));
    flags.retainAll(Set.of("nosuid", "nodev", "noexec"));
    return line("none", target, "none", "remount,bind,ro," + String.join(",", flags));
  }

  /** Adds a device file, the only kind of mount without nodev. */
  Fstab device(String source, String target) {
    return line(source, target, "none", "bind");
  }

  Fstab fileSystem(String type, String target, String options) {
    return line(type, target, type, options);
  }

  Fstab overlay(String lower, String upper, String work, String target) {
    // The layer is deleted after the task and need not survive a crash, so it can be volatile.
    String options =
        "lowerdir=%s,upperdir=%s,workdir=%s,userxattr,volatile,%s"
            .formatted(lower, upper, work, NOSUID_NODEV);
    return line("overlay", target, "overlay", options);
  }

  Fstab line(String source, String target, String type, String options) {
    targets.add(target);
    lines.add(
        String.join(" ", escape(source), escape(target), type, escape(options), "0", "0") + "\n");
    return this;
  }

  static String escape(String text) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (" \t\n\\#".indexOf(c) >= 0) {
        result.append(String.format("\\%03o", (int) c));
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }

  /** Returns all mount points of the table. */
  Set<String> targets() {
    return Set.copyOf(targets);
  }

  String text() {
    return String.join("", lines);
  }
}
