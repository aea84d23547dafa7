package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.List;

/** One step of building a task's root. All targets are absolute paths inside that root. */
sealed interface MountStep {
  String target();

  /**
   * The host's files, readable as for an ordinary user of the host, owned by the task's IDs, with
   * changes written to a layer of the task.
   *
   * @param layer name of the task's directory that holds the changes
   */
  record CopyOnWrite(Path source, String target, String layer) implements MountStep {}

  /** A directory of the platform, without device files and setuid programs. */
  record PlatformFiles(Path source, String target) implements MountStep {}

  /**
   * Directories that users can write to, mounted together so that no path is resolved through
   * another volume.
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

  /** One volume, without device files and setuid programs. */
  record Bind(Path source, String target, boolean readOnly) {}

  /** The host's {@code /sys}, read-only. */
  record SystemView(String target) implements MountStep {}

  /** A tmpfs, owned by the host's root. */
  record Memory(String target, long bytes, int mode) implements MountStep {}

  /** A devpts instance of the task. */
  record Terminals(String target) implements MountStep {}

  /** A device file with the host's device numbers; skipped if the host does not have the device. */
  record DeviceNode(Path source, String target) implements MountStep {}

  record Link(String target, String to) implements MountStep {}
}
