package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what this machine gives to the tasks of an ordinary user's server at the moment. Mounts
 * appear and disappear while the server runs, for example with containers, and the kernel refuses a
 * layer over a directory below which something is mounted. Thread-safe.
 */
final class UserHostViews {
  /** Reads which file systems are mounted now. */
  interface MountSource {
    MountTable read() throws IOException;
  }

  /** Mounts every layer of a machine and returns the directories for which that failed. */
  interface LayerTrial {
    Set<Path> refused(UserHostView machine) throws IOException;
  }

  private static final int TRIALS = 5;

  private final Path data;
  private final List<Path> secrets;
  private final MountSource mounts;
  private final LayerTrial trial;
  private final List<Path> writable;

  /** Directories that a layer was mounted over in a trial. */
  private final Set<Path> allowed = new HashSet<>();

  /** Directories for which the kernel refuses a layer although nothing is mounted below them. */
  private final Set<Path> refused = new HashSet<>();

  private UserHostView last;

  /**
   * @param data the server's, by its real path
   * @param secrets files of the server's own that lie elsewhere
   */
  UserHostViews(Path data, List<Path> secrets, MountSource mounts, LayerTrial trial)
      throws IOException {
    this.data = data;
    this.secrets = List.copyOf(secrets);
    this.mounts = mounts;
    this.trial = trial;
    this.writable = UserHostView.writable();
  }

  static UserHostViews of(Path data, List<Path> secrets, HostTools tools) throws IOException {
    return new UserHostViews(
        data,
        secrets,
        MountTable::ofThisProcess,
        machine -> UserProbe.refusedLayers(data, machine, tools));
  }

  /** Returns a machine of which every layer was mounted once, for the present mounts. */
  synchronized UserHostView current() throws IOException {
    MountTable now = mounts.read();
    if (last != null && last.mounts().equals(now)) {
      return last;
    }
    Set<Path> failedOnce = new HashSet<>();
    for (int i = 0; i < TRIALS; i++) {
      UserHostView wanted =
          UserHostView.with(data, secrets, writable, now, path -> !refused.contains(path));
      Set<Path> layered = wanted.view().layered();
      if (allowed.containsAll(layered)) {
        last = wanted;
        return wanted;
      }
      Set<Path> failed = trial.refused(wanted);
      now = mounts.read();
      for (Path path : layered) {
        if (!failed.contains(path)) {
          allowed.add(path);
        } else if (now.below(path).isEmpty() && !failedOnce.add(path)) {
          // Twice: a mount may have been there only during the trial.
          refused.add(path);
        }
      }
    }
    throw new IOException("the mounts of this machine changed during every trial");
  }

  /** Whether the mounts are still the same as when this machine was found. */
  boolean isCurrent(UserHostView machine) throws IOException {
    return machine.mounts().equals(mounts.read());
  }
}
