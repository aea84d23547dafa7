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
  private static final String HARMLESS = "nosuid,nodev";

  private final List<String> lines = new ArrayList<>();
  private final Set<String> targets = new LinkedHashSet<>();
  private final MountTable machine;

  /**
   * @param machine the host's mounts, whose restrictions a copy has to keep
   */
  Fstab(MountTable machine) {
    this.machine = machine;
  }

  Fstab bind(String source, String target) {
    return line(source, target, "none", "bind," + HARMLESS);
  }

  /**
   * Adds a read-only bind mount of an absolute host path; the kernel requires that its restrictions
   * are repeated.
   */
  Fstab readOnlyBind(Path source, String target) {
    return line(source.toString(), target, "none", "bind," + HARMLESS).readOnly(source, target);
  }

  /**
   * Adds a bind mount with all mounts below it, because the kernel does not allow an ordinary user
   * to leave them out.
   */
  Fstab bindTree(Path source, String target) {
    return line(source.toString(), target, "none", "rbind").readOnly(source, target);
  }

  Fstab readOnly(Path source, String target) {
    Set<String> flags = new TreeSet<>(Set.of("nosuid", "nodev"));
    machine.of(source).ifPresent(mount -> flags.addAll(mount.flags()));
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

  Fstab layered(String lower, String upper, String work, String target) {
    // Volatile, because the layer does not outlive the task and does not have to survive a crash.
    String options =
        "lowerdir=%s,upperdir=%s,workdir=%s,userxattr,volatile,%s"
            .formatted(lower, upper, work, HARMLESS);
    return line("overlay", target, "overlay", options);
  }

  Fstab line(String source, String target, String type, String options) {
    targets.add(target);
    lines.add(
        String.join(" ", escaped(source), escaped(target), type, escaped(options), "0", "0")
            + "\n");
    return this;
  }

  static String escaped(String text) {
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
