package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.List;

/** One thing to be put into a task's root. All targets are absolute paths inside that root. */
sealed interface MountStep {
  String target();

  /**
   * The machine's own files, read as an ordinary user of the machine may, owned by the task's ids,
   * and written to a layer of the task's.
   *
   * @param layer name of the task's directory that takes the changes
   */
  record CopyOnWrite(Path source, String target, String layer) implements MountStep {}

  /** A directory of the platform's own; never with device files or setuid programs. */
  record PlatformFiles(Path source, String target) implements MountStep {}

  /** Directories that users write to, all at once: none is walked through to reach another. */
  record Volumes(List<Bind> binds) implements MountStep {
    public Volumes {
      binds = List.copyOf(binds);
    }

    @Override
    public String target() {
      return "/";
    }
  }

  /** One volume; never with device files or setuid programs. */
  record Bind(Path source, String target, boolean readOnly) {}

  /** The machine's {@code /sys}, to look at. */
  record SystemView(String target) implements MountStep {}

  /** Memory as a file system, owned by the machine's root. */
  record Memory(String target, long bytes, int mode) implements MountStep {}

  /** Terminals of the task's own. */
  record Terminals(String target) implements MountStep {}

  /** A device file with the numbers of the machine's; where the machine has none, nothing. */
  record DeviceNode(Path source, String target) implements MountStep {}

  record Link(String target, String to) implements MountStep {}
}
