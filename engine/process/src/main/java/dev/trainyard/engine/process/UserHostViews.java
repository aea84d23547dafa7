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

  /** Mounts every overlay of a host view and returns the directories for which the mount failed. */
  interface OverlayTrial {
    Set<Path> findRefused(UserHostView hostView) throws IOException;
  }

  private static final int MAX_TRIALS = 5;

  private final Path data;
  private final List<Path> secrets;
  private final MountSource mountSource;
  private final OverlayTrial overlayTrial;
  private final List<Path> writableDirectories;

  /** Directories on which an overlay was mounted successfully in a trial. */
  private final Set<Path> allowedDirectories = new HashSet<>();

  /** Directories for which the kernel rejects an overlay although nothing is mounted below them. */
  private final Set<Path> refusedDirectories = new HashSet<>();

  private UserHostView lastView;

  /**
   * @param data the server's data directory, by its real path
   * @param secrets files of the server in other directories
   */
  UserHostViews(Path data, List<Path> secrets, MountSource mountSource, OverlayTrial overlayTrial)
      throws IOException {
    this.data = data;
    this.secrets = List.copyOf(secrets);
    this.mountSource = mountSource;
    this.overlayTrial = overlayTrial;
    this.writableDirectories = UserHostView.findWritableDirectories();
  }

  static UserHostViews of(Path data, List<Path> secrets, HostTools tools) throws IOException {
    return new UserHostViews(
        data,
        secrets,
        MountTable::ofThisProcess,
        hostView -> UserProbe.findRefusedOverlays(data, hostView, tools));
  }

  /** Returns a view for the current mounts; each of its overlays was mounted successfully once. */
  synchronized UserHostView current() throws IOException {
    MountTable currentMounts = mountSource.read();
    if (lastView != null && lastView.mounts().equals(currentMounts)) {
      return lastView;
    }
    Set<Path> previouslyFailed = new HashSet<>();
    for (int i = 0; i < MAX_TRIALS; i++) {
      UserHostView candidate =
          UserHostView.create(
              data,
              secrets,
              writableDirectories,
              currentMounts,
              path -> !refusedDirectories.contains(path));
      Set<Path> overlayPaths = candidate.view().overlayPaths();
      if (allowedDirectories.containsAll(overlayPaths)) {
        lastView = candidate;
        return candidate;
      }
      Set<Path> failedPaths = overlayTrial.findRefused(candidate);
      currentMounts = mountSource.read();
      for (Path path : overlayPaths) {
        if (!failedPaths.contains(path)) {
          allowedDirectories.add(path);
        } else if (currentMounts.mountsBelow(path).isEmpty() && !previouslyFailed.add(path)) {
          // A single failure is not sufficient, because a mount may have existed during the trial.
          refusedDirectories.add(path);
        }
      }
    }
    throw new IOException("the mounts of this host changed during every trial");
  }

  /** Returns whether the mounts are still the same as when this view was created. */
  boolean isCurrent(UserHostView hostView) throws IOException {
    return hostView.mounts().equals(mountSource.read());
  }
}
