package dev.trainyard.engine.process;

import dev.trainyard.engine.DeletedTree;
import dev.trainyard.engine.EngineException;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The engine's part of the data directory, and what this machine's kernel gives for it.
 *
 * @param limits empty where there are no control groups to be had
 */
record Workplace(
    Path data,
    Optional<ControlGroups> limits,
    Supervisors supervisors,
    UserNamespaces userNamespaces,
    Reservation reservation,
    Launcher launcher)
    implements AutoCloseable {

  static Workplace open(Path dataDirectory) {
    try {
      HostTools tools = HostTools.find();
      Path data = Files.createDirectories(dataDirectory).toRealPath();
      for (String part : List.of("tasks", "ends", "bin", "trash", "mounts")) {
        Path directory = Files.createDirectories(data.resolve(part));
        Linux.changeMode(directory.toString(), 0700);
      }
      MountTable mounts = MountTable.ofThisProcess();
      List<Path> fileSystems = mounts.software(data);
      UserNamespaces userNamespaces = new UserNamespaces(tools);
      Workplace workplace =
          new Workplace(
              data,
              ControlGroups.find(mounts),
              Supervisors.ofThisBoot(),
              userNamespaces,
              new Reservation(data, fileSystems),
              new Launcher(
                  Scripts.unpackSupervisor(data.resolve("bin")),
                  tools,
                  userNamespaces,
                  fileSystems));
      workplace.emptyTrash();
      workplace.deleteStaleEnds();
      workplace.makeMountPoints(fileSystems);
      workplace.tryOut();
      return workplace;
    } catch (IOException e) {
      throw new EngineException(
          "this machine can't run sandboxed processes: "
              + e.getMessage()
              + ". In this version the server must be run as root, on Linux 5.19 or newer, with a"
              + " root file system that allows id-mapped mounts and overlays (ext4, xfs, btrfs).",
          e);
    }
  }

  /** Makes the root of a task once, so that a machine that can't says so now and not to a user. */
  private void tryOut() throws IOException {
    // Not among the tasks: whoever lists them must not see it.
    Path place = Files.createTempDirectory(data.resolve("trash"), "probe");
    TaskId nobodys = new TaskId(new JobId("0".repeat(26)), 0, "probe", 0);
    TaskDirectory probe = new TaskDirectory(nobodys, place, place.resolve("end"), mounts());
    try {
      reservation.makeLayers(probe, IdRange.spare(), Map.of());
      launcher.tryOut(probe);
    } finally {
      deleteTree(place);
    }
  }

  Path tasks() {
    return data.resolve("tasks");
  }

  /** Mount points, used by every task in its own namespace: here nothing is ever mounted. */
  private Path mounts() {
    return data.resolve("mounts");
  }

  private void makeMountPoints(List<Path> fileSystems) throws IOException {
    Files.createDirectories(mounts().resolve("root"));
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        for (String part : List.of("low", "seen", "empty")) {
          Files.createDirectories(mounts().resolve(view.layer()).resolve(part));
        }
      }
    }
  }

  Path ends() {
    return data.resolve("ends");
  }

  TaskDirectory task(TaskId id) {
    String name = id.toString();
    return new TaskDirectory(id, tasks().resolve(name), ends().resolve(name), mounts());
  }

  /** First out of the way at once, so that a task is never seen half deleted. */
  void delete(Path directory) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Path gone = data.resolve("trash").resolve(directory.getFileName() + "." + System.nanoTime());
      Files.move(directory, gone, StandardCopyOption.ATOMIC_MOVE);
      deleteTree(gone);
    }
  }

  private void emptyTrash() throws IOException {
    try (var leftovers = Files.newDirectoryStream(data.resolve("trash"))) {
      for (Path leftover : leftovers) {
        deleteTree(leftover);
      }
    }
  }

  /** What a task left may still be changed, by another that was handed an open directory of it. */
  private static void deleteTree(Path tree) throws IOException {
    try {
      DeletedTree.delete(tree);
    } catch (UncheckedIOException e) {
      throw new IOException("files of a task can't be deleted: " + e.getCause().getMessage(), e);
    }
  }

  /**
   * A server that was killed while it removed a task may have left the record of its end. Called
   * before anything is removed or started, so whatever has no directory now is such a leftover.
   */
  private void deleteStaleEnds() throws IOException {
    try (var records = Files.newDirectoryStream(ends())) {
      for (Path record : records) {
        if (Files.notExists(tasks().resolve(record.getFileName()), LinkOption.NOFOLLOW_LINKS)) {
          Files.delete(record);
        }
      }
    }
  }

  @Override
  public void close() {
    userNamespaces.close();
  }
}
