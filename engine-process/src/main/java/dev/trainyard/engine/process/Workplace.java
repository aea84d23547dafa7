package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
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

  private static final List<String> TOOLS =
      List.of("setsid", "unshare", "nsenter", "setpriv", "env", "cat", "tail", "mv", "sh");

  static Workplace open(Path dataDirectory) {
    try {
      requireTools();
      Path data = Files.createDirectories(dataDirectory).toRealPath();
      for (String part : List.of("tasks", "ends", "bin", "trash", "mounts")) {
        Path directory = Files.createDirectories(data.resolve(part));
        Linux.changeMode(directory.toString(), 0700);
      }
      MountTable mounts = MountTable.ofThisProcess();
      List<Path> fileSystems = mounts.software(data);
      UserNamespaces userNamespaces = new UserNamespaces("unshare");
      Workplace workplace =
          new Workplace(
              data,
              ControlGroups.find(mounts),
              Supervisors.ofThisBoot(),
              userNamespaces,
              new Reservation(data, fileSystems),
              new Launcher(
                  Scripts.unpackSupervisor(data.resolve("bin")), userNamespaces, fileSystems));
      workplace.emptyTrash();
      workplace.makeMountPoints(fileSystems);
      workplace.tryOut();
      return workplace;
    } catch (IOException e) {
      throw new EngineException(
          "this machine can't run sandboxed processes: "
              + e.getMessage()
              + ". Needed are a server run as root, Linux 5.19 or newer, and a root file system"
              + " that allows id-mapped mounts and overlays (ext4, xfs, btrfs). In a container or"
              + " on an older kernel use --engine docker.",
          e);
    }
  }

  private static void requireTools() throws IOException {
    for (String tool : TOOLS) {
      boolean found =
          List.of(Scripts.TOOL_PATH.split(":")).stream()
              .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
      if (!found) {
        throw new IOException("the program " + tool + " is missing (util-linux, coreutils)");
      }
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
    if (Files.exists(directory)) {
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

  private static void deleteTree(Path tree) throws IOException {
    try {
      Files.walkFileTree(tree, new Deletion());
    } catch (IOException e) {
      deleteByProgram(tree);
    }
  }

  /** A task may have made directories so deep that their path is too long for a system call. */
  private static void deleteByProgram(Path tree) throws IOException {
    Process rm =
        new ProcessBuilder("rm", "-rf", "--one-file-system", "--", tree.toString())
            .redirectErrorStream(true)
            .start();
    String words = new String(rm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (rm.waitFor() != 0) {
        throw new IOException("files of a task can't be deleted: " + words.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while deleting files of a task", e);
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }

  @Override
  public void close() {
    userNamespaces.close();
  }
}
