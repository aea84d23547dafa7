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
  private static final String INSIDE = "layer0.upper/opt/d";

  @TempDir Path data;

  @Test
  void reservation_incomplete() throws IOException {
    try (RealEngine first = new RealEngine(data)) {
      Draft whole = first.task("true");
      whole.reserve();
      Draft half = first.task("true");
      half.reserve();
      Files.delete(data.resolve("tasks/" + half.id + "/spec.json"));

      try (RealEngine again = new RealEngine(data)) {
        assertThat(again.engine.list()).extracting(TaskObservation::id).containsExactly(whole.id);
        assertThat(data.resolve("tasks/" + half.id)).doesNotExist();
      }
    }
  }

  @Test
  void start_foreignNamesInTasks_skippedAndKept() throws IOException {
    try (RealEngine first = new RealEngine(data)) {
      Draft draft = first.task("true");
      draft.reserve();
      Path directory = Files.createDirectory(data.resolve("tasks/lost+found"));
      Path file = Files.createFile(data.resolve("tasks/.nfs0001"));
      Path similar = Files.createDirectory(data.resolve("tasks/" + draft.id + "x"));

      try (RealEngine again = new RealEngine(data)) {
        assertThat(again.engine.list()).extracting(TaskObservation::id).containsExactly(draft.id);
        assertThat(directory).exists();
        assertThat(file).exists();
        assertThat(similar).exists();
      }
    }
  }

  @Test
  void groups_ofForeignName_kept() throws IOException {
    RealEngine.requireRoot();
    ControlGroups ours =
        ControlGroups.find(MountTable.ofThisProcess(), EngineEnvironment.label(data.toRealPath()))
            .orElseThrow();
    TaskResources resources = new TaskResources(1, DataSize.ofMegabytes(64), DataSize.ZERO, 0, "");
    ours.create("foreign", resources);
    try (RealEngine engine = new RealEngine(data)) {
      assertThat(engine.engine.list()).isEmpty();
      assertThat(ours.of("foreign")).allMatch(Files::exists);
    } finally {
      ours.remove("foreign");
    }
  }

  @Test
  void groups_ofARemovedTask() throws IOException {
    RealEngine.requireRoot();
    Path real = data.toRealPath();
    ControlGroups ours =
        ControlGroups.find(MountTable.ofThisProcess(), EngineEnvironment.label(real)).orElseThrow();
    ControlGroups others = ControlGroups.find(MountTable.ofThisProcess(), "0ther").orElseThrow();
    TaskResources resources = new TaskResources(1, DataSize.ofMegabytes(64), DataSize.ZERO, 0, "");
    String task = "01J00000000000000000000000.1.main.0";
    ours.create(task, resources);
    others.create(task, resources);
    try (RealEngine engine = new RealEngine(data)) {
      assertThat(engine.engine.list()).isEmpty();
      RealEngine.await(() -> ours.of(task).stream().noneMatch(Files::exists));
      assertThat(others.of(task)).allMatch(Files::exists);
    } finally {
      others.remove(task);
    }
  }

  @Test
  void directories_deletedWhileTheServerRuns_areCreatedAgain() throws IOException {
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
    List<ProcessHandle> all;
    try (RealEngine first = new RealEngine(data)) {
      id = first.task("echo ready; sleep 300 & wait").start();
      RealEngine.await(() -> RealEngine.read(first.logs(id), "stdout").contains("ready"));
      TaskDirectory task =
          new TaskDirectory(id, data.resolve("tasks").resolve(id.toString()), data);
      ProcessHandle supervisor =
          ProcessHandle.of(task.supervisor().orElseThrow().pid()).orElseThrow();
      all = supervisor.descendants().toList();
      first.engine.close();
      supervisor.destroyForcibly();
      RealEngine.await(() -> !Supervisors.isRunning(supervisor));

      try (RealEngine again = new RealEngine(data)) {
        assertThat(again.awaitEnd(id).end().reason()).isEqualTo(ExitReason.SUPERVISOR_LOST);
        assertThat(all).noneMatch(Supervisors::isRunning);
        again.engine.remove(id);
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
    System.setProperty(HostTools.SUPERVISOR, supervisor);
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
      System.clearProperty(HostTools.SUPERVISOR);
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
    Path outside = fill(data.resolve("outside"));
    int round = 1;
    // A removal may finish before the other thread runs; then nothing was tested.
    while (!swapsWhileRemoved(outside, data.resolve("aside" + round))) {
      assertThat(round++).as("rounds in which the link was created too late").isLessThan(ROUNDS);
    }
    try (RealEngine again = new RealEngine(data)) {
      assertThat(again.engine.list()).isEmpty();
      RealEngine.await(() -> RealEngine.isEmpty(data.resolve("trash")));
      assertThat(list(outside)).hasSize(FILES);
    }
  }

  private boolean swapsWhileRemoved(Path outside, Path aside) throws IOException {
    try (RealEngine sandbox = new RealEngine(data)) {
      Result result = sandbox.run("true");
      fill(data.resolve("tasks/" + result.id()).resolve(INSIDE));
      CompletableFuture<Boolean> swap =
          CompletableFuture.supplyAsync(
              () -> swapWhenBegun(outside, aside),
              task -> Thread.ofPlatform().daemon().start(task));
      sandbox.engine.remove(result.id());
      boolean swapped = swap.join();
      assertThat(list(outside)).hasSize(FILES);
      return swapped;
    }
  }

  private boolean swapWhenBegun(Path outside, Path aside) {
    long end = System.nanoTime() + RealEngine.DEADLINE.toNanos();
    while (System.nanoTime() < end) {
      for (Path place : placesInTrash()) {
        if (isHalfDeleted(place)) {
          return swap(place, outside, aside);
        }
      }
    }
    throw new AssertionError("not seen half deleted");
  }

  /** Returns whether the removal was not finished before. */
  private static boolean swap(Path place, Path outside, Path aside) {
    try {
      Files.move(place, aside);
      Files.createSymbolicLink(place, outside);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the previous path of the directory, and those where it may have been moved for
   * deletion.
   */
  private List<Path> placesInTrash() {
    List<Path> places = new ArrayList<>();
    for (Path tree : list(data.resolve("trash"))) {
      places.add(tree.resolve(INSIDE));
      places.addAll(list(tree));
    }
    return places;
  }

  private static boolean isHalfDeleted(Path directory) {
    long left =
        IntStream.range(0, SAMPLES)
            .filter(i -> Files.exists(directory.resolve("f" + i * (FILES / SAMPLES))))
            .count();
    return left > 0 && left < SAMPLES;
  }

  private static Path fill(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (int i = 0; i < FILES; i++) {
      Files.createFile(directory.resolve("f" + i));
    }
    return directory;
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }
}
