package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.process.RealEngine.Draft;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verifies that everything that tasks and killed servers leave is deleted, and nothing else. */
class LeftoversTest {
  private static final int ROUNDS = 20;
  private static final int FILES = 20_000;
  private static final int SAMPLES = 20;
  private static final String FILLED_DIRECTORY = "layer0.upper/opt/d";

  @TempDir Path data;

  @Test
  void reservation_incomplete() throws IOException {
    try (RealEngine firstEngine = new RealEngine(data)) {
      Draft completeDraft = firstEngine.task("true");
      completeDraft.reserve();
      Draft incompleteDraft = firstEngine.task("true");
      incompleteDraft.reserve();
      Files.delete(data.resolve("tasks/" + incompleteDraft.id + "/spec.json"));

      try (RealEngine secondEngine = new RealEngine(data)) {
        assertThat(secondEngine.engine.list())
            .extracting(TaskObservation::id)
            .containsExactly(completeDraft.id);
        assertThat(data.resolve("tasks/" + incompleteDraft.id)).doesNotExist();
      }
    }
  }

  @Test
  void start_foreignNamesInTasks_skippedAndKept() throws IOException {
    try (RealEngine firstEngine = new RealEngine(data)) {
      Draft draft = firstEngine.task("true");
      draft.reserve();
      Path directory = Files.createDirectory(data.resolve("tasks/lost+found"));
      Path file = Files.createFile(data.resolve("tasks/.nfs0001"));
      Path similarDirectory = Files.createDirectory(data.resolve("tasks/" + draft.id + "x"));

      try (RealEngine secondEngine = new RealEngine(data)) {
        assertThat(secondEngine.engine.list())
            .extracting(TaskObservation::id)
            .containsExactly(draft.id);
        assertThat(directory).exists();
        assertThat(file).exists();
        assertThat(similarDirectory).exists();
      }
    }
  }

  @Test
  void groups_ofForeignName_kept() throws IOException {
    RealEngine.requireRoot();
    ControlGroups controlGroups =
        ControlGroups.find(MountTable.ofThisProcess(), EngineEnvironment.label(data.toRealPath()))
            .orElseThrow();
    TaskResources resources = new TaskResources(1, DataSize.ofMegabytes(64), DataSize.ZERO, 0, "");
    controlGroups.create("foreign", resources);
    try (RealEngine engine = new RealEngine(data)) {
      assertThat(engine.engine.list()).isEmpty();
      assertThat(controlGroups.directories("foreign")).allMatch(Files::exists);
    } finally {
      controlGroups.remove("foreign");
    }
  }

  @Test
  void groups_ofRemovedTask_areRemoved() throws IOException {
    RealEngine.requireRoot();
    Path realPath = data.toRealPath();
    ControlGroups controlGroups =
        ControlGroups.find(MountTable.ofThisProcess(), EngineEnvironment.label(realPath))
            .orElseThrow();
    ControlGroups otherControlGroups =
        ControlGroups.find(MountTable.ofThisProcess(), "0ther").orElseThrow();
    TaskResources resources = new TaskResources(1, DataSize.ofMegabytes(64), DataSize.ZERO, 0, "");
    String task = "01J00000000000000000000000.1.main.0";
    controlGroups.create(task, resources);
    otherControlGroups.create(task, resources);
    try (RealEngine engine = new RealEngine(data)) {
      assertThat(engine.engine.list()).isEmpty();
      RealEngine.await(() -> controlGroups.directories(task).stream().noneMatch(Files::exists));
      assertThat(otherControlGroups.directories(task)).allMatch(Files::exists);
    } finally {
      otherControlGroups.remove(task);
    }
  }

  @Test
  void directories_deletedWhileServerRuns_areRecreated() throws IOException {
    try (RealEngine real = new RealEngine(data)) {
      for (String part : List.of("tasks", "trash")) {
        Trash.deleteTree(data.resolve(part));
        assertThat(data.resolve(part)).doesNotExist();
      }
      assertThat(real.engine.list()).isEmpty();
      assertThat(real.awaitEnd(real.task("true").start()).end().reason())
          .isEqualTo(ExitReason.SUCCEEDED);
      for (String part : List.of("tasks", "trash")) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(part))))
            .isEqualTo("rwx------");
      }
    }
  }

  /** The supervisor is killed while no server is running. */
  @Test
  void supervisor_killedWithoutServer() throws IOException {
    TaskId id;
    List<ProcessHandle> processes;
    try (RealEngine firstEngine = new RealEngine(data)) {
      id = firstEngine.task("echo ready; sleep 300 & wait").start();
      RealEngine.await(() -> RealEngine.read(firstEngine.logs(id), "stdout").contains("ready"));
      TaskDirectory task =
          new TaskDirectory(id, data.resolve("tasks").resolve(id.toString()), data);
      ProcessHandle supervisor =
          ProcessHandle.of(task.supervisor().orElseThrow().pid()).orElseThrow();
      processes = supervisor.descendants().toList();
      firstEngine.engine.close();
      supervisor.destroyForcibly();
      RealEngine.await(() -> !Supervisors.isRunning(supervisor));

      try (RealEngine secondEngine = new RealEngine(data)) {
        assertThat(secondEngine.awaitEnd(id).end().reason()).isEqualTo(ExitReason.SUPERVISOR_LOST);
        assertThat(processes).noneMatch(Supervisors::isRunning);
        secondEngine.engine.remove(id);
      }
    }
  }

  /**
   * A process outside the task keeps its output open; a shell supervisor with copiers must then be
   * stopped.
   */
  @ParameterizedTest
  @CsvSource({"perl, SUCCEEDED", "shell, STOPPED"})
  void output_keptOpenByAProcessElsewhere(String supervisor, ExitReason reason) throws IOException {
    if (supervisor.equals("perl")) {
      RealEngine.requireRoot(); // other accounts use the shell supervisor
    }
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, supervisor);
    try (RealEngine engine = new RealEngine(data)) {
      Draft draft = engine.task("echo ready");
      Path fifo = data.toRealPath().resolve("tasks/" + draft.id + "/out");
      draft.reserve();
      Process holder = new ProcessBuilder("sh", "-c", "exec sleep 300 >" + fifo).start();
      try {
        draft.startReserved();
        Path output = Path.of("/proc/" + holder.pid() + "/fd/1");
        RealEngine.await(() -> isLinkTo(output, fifo));
        RealEngine.await(() -> RealEngine.read(engine.logs(draft.id), "stdout").contains("ready"));
        if (reason == ExitReason.STOPPED) {
          engine.engine.stop(draft.id, Duration.ZERO);
        }
        Result result = engine.awaitEnd(draft.id);

        assertThat(result.end().reason()).isEqualTo(reason);
        assertThat(result.stdout()).isEqualTo("ready\n");
        assertThat(holder.isAlive()).isTrue();
      } finally {
        holder.destroyForcibly();
      }
    } finally {
      System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
    }
  }

  private static boolean isLinkTo(Path link, Path target) {
    try {
      return Files.readSymbolicLink(link).equals(target);
    } catch (IOException e) {
      return false;
    }
  }

  /** While a task is deleted, one of its directories is replaced by a link to files of the host. */
  @Test
  void remove_doesNotFollowConcurrentLink() throws IOException {
    Path hostDirectory = fill(data.resolve("outside"));
    int round = 1;
    // If a removal finishes before the other thread runs, the round has tested nothing.
    while (!replacesWhileRemoved(hostDirectory, data.resolve("aside" + round))) {
      assertThat(round++).as("rounds in which the link was created too late").isLessThan(ROUNDS);
    }
    try (RealEngine secondEngine = new RealEngine(data)) {
      assertThat(secondEngine.engine.list()).isEmpty();
      RealEngine.await(() -> RealEngine.isEmpty(data.resolve("trash")));
      assertThat(list(hostDirectory)).hasSize(FILES);
    }
  }

  private boolean replacesWhileRemoved(Path hostDirectory, Path movedDirectory) throws IOException {
    try (RealEngine realEngine = new RealEngine(data)) {
      Result result = realEngine.run("true");
      fill(data.resolve("tasks/" + result.id()).resolve(FILLED_DIRECTORY));
      CompletableFuture<Boolean> replacement =
          CompletableFuture.supplyAsync(
              () -> replaceWhenPartlyDeleted(hostDirectory, movedDirectory),
              task -> Thread.ofPlatform().daemon().start(task));
      realEngine.engine.remove(result.id());
      boolean replaced = replacement.join();
      assertThat(list(hostDirectory)).hasSize(FILES);
      return replaced;
    }
  }

  private boolean replaceWhenPartlyDeleted(Path hostDirectory, Path movedDirectory) {
    long deadline = System.nanoTime() + RealEngine.TIMEOUT.toNanos();
    while (System.nanoTime() < deadline) {
      for (Path directory : directoriesInTrash()) {
        if (isPartlyDeleted(directory)) {
          return replaceByLink(directory, hostDirectory, movedDirectory);
        }
      }
    }
    throw new AssertionError("the directory was never observed partly deleted");
  }

  /** Replaces a directory by a link; returns false if the directory was deleted before. */
  private static boolean replaceByLink(Path directory, Path hostDirectory, Path movedDirectory) {
    try {
      Files.move(directory, movedDirectory);
      Files.createSymbolicLink(directory, hostDirectory);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the path of the directory in the trash and the paths to which it may have been moved
   * for deletion.
   */
  private List<Path> directoriesInTrash() {
    List<Path> directories = new ArrayList<>();
    for (Path tree : list(data.resolve("trash"))) {
      directories.add(tree.resolve(FILLED_DIRECTORY));
      directories.addAll(list(tree));
    }
    return directories;
  }

  private static boolean isPartlyDeleted(Path directory) {
    long remaining =
        IntStream.range(0, SAMPLES)
            .filter(i -> Files.exists(directory.resolve("f" + i * (FILES / SAMPLES))))
            .count();
    return remaining > 0 && remaining < SAMPLES;
  }

  private static Path fill(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (int i = 0; i < FILES; i++) {
      Files.createFile(directory.resolve("f" + i));
    }
    return directory;
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }
}
