package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.List;

/** One step of building a task's root. All targets are absolute paths inside that root. */
sealed interface MountStep {
  String target();

  /**
   * Shows the host's files that an ordinary user of the host can read, with the task's IDs as their
   * owners; changes are written to a layer of the task.
   *
   * @param layer name of the task's directory that holds the changes
   */
  record CopyOnWrite(Path source, String target, String layer) implements MountStep {}

  /** Mounts a directory of the platform, with device files and setuid programs disabled. */
  record PlatformFiles(Path source, String target) implements MountStep {}

  /**
   * Mounts directories that users can write to, all in one step, so that no mount point is resolved
   * through another volume.
   */
  record Volumes(List<Bind> binds) implements MountStep {
    public Volumes {
      binds = List.copyOf(binds);
    }

    @Override
    public String target() {
      return "/";
    }
  }

  /** One volume, with device files and setuid programs disabled. */
  record Bind(Path source, String target, boolean readOnly) {}

  /** Mounts the host's {@code /sys} read-only. */
  record SystemView(String target) implements MountStep {}

  /** Mounts a tmpfs that the host's root user owns. */
  record Tmpfs(String target, long bytes, int mode) implements MountStep {}

  /** Mounts a devpts instance of the task. */
  record Terminals(String target) implements MountStep {}

  /** Creates a device file with the host's device numbers, if the host has the device. */
  record DeviceNode(Path source, String target) implements MountStep {}

  /** Creates a symbolic link at {@code target}. */
  record Link(String target, String linkTarget) implements MountStep {}
}
