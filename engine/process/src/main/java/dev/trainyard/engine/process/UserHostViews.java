package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Determines which part of this host is visible to tasks if the server runs as an ordinary user.
 * Mounts appear and disappear while the server runs, for example with containers, and the kernel
 * does not allow an overlay on a directory that has mounts below it. Thread-safe.
 */
final class UserHostViews {
  /** Reads the current mounts. */
  interface MountSource {
    MountTable read() throws IOException;
  }

  /** Mounts every layer of a host view and returns the directories for which that failed. */
  interface LayerTrial {
    Set<Path> refused(UserHostView machine) throws IOException;
  }

  private static final int TRIALS = 5;

  private final Path data;
  private final List<Path> secrets;
  private final MountSource mounts;
  private final LayerTrial trial;
  private final List<Path> writable;

  /** Directories on which a layer was mounted successfully in a trial. */
  private final Set<Path> allowed = new HashSet<>();

  /** Directories for which the kernel rejects a layer although nothing is mounted below them. */
  private final Set<Path> refused = new HashSet<>();

  private UserHostView last;

  /**
   * @param data the server's data directory, by its real path
   * @param secrets files of the server in other directories
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

  /** Returns a view for the current mounts, each layer of which was mounted successfully once. */
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
          // Only after two failures, because a mount may have existed only during the trial.
          refused.add(path);
        }
      }
    }
    throw new IOException("the mounts of this host changed during every trial");
  }

  /** Returns whether the mounts are still the same as when this view was created. */
  boolean isCurrent(UserHostView machine) throws IOException {
    return machine.mounts().equals(mounts.read());
  }
}
