package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptedEngineTest {
  private static final TaskId TASK = new TaskId(new JobId("0".repeat(26)), 1, "main", 0);

  @TempDir Path logs;
  private final ScriptedEngine engine = new ScriptedEngine(List.of());
  private final List<TaskObservation> observations = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void finish_notifiesObserver() {
    engine.watch(observations::add);
    engine.reserve(spec());
    engine.start(TASK, new TaskStart(Map.of("LATE", "x"), Map.of()));
    engine.start(TASK, TaskStart.NONE);
    engine.finish(TASK, 7);

    assertThat(engine.started()).containsExactly(TASK);
    assertThat(engine.start(TASK).environment()).containsEntry("LATE", "x");
    TaskEnd end = observations.getLast().end().orElseThrow();
    assertThat(end.exitCode()).isEqualTo(7);
    assertThat(end.reason()).isEqualTo(ExitReason.COMMAND_FAILED);
  }

  @Test
  void stop_endsStopped() {
    engine.reserve(spec());
    engine.start(TASK, TaskStart.NONE);
    engine.stop(TASK, Duration.ZERO);
    assertThat(engine.list().getFirst().phase()).isEqualTo(TaskObservation.Phase.RUNNING);
    engine.finish(TASK, 143);

    assertThat(engine.list().getFirst().end().orElseThrow().reason()).isEqualTo(ExitReason.STOPPED);
  }

  @Test
  void stop_beforeStart() {
    engine.reserve(spec());
    engine.stop(TASK, Duration.ZERO);
    engine.start(TASK, TaskStart.NONE);

    assertThat(engine.started()).isEmpty();
    assertThat(engine.list().getFirst().end().orElseThrow().exitCode()).isEqualTo(255);
  }

  @Test
  void failReservations_untilAccepted() {
    engine.failReservations("no room");
    assertThatThrownBy(() -> engine.reserve(spec()))
        .isInstanceOf(EngineException.class)
        .hasMessage("no room");
    engine.acceptReservations();
    engine.reserve(spec());

    assertThat(engine.reserved()).hasSize(1);
  }

  @Test
  void write_appends() {
    engine.reserve(spec());
    engine.write(TASK, false, "a\n");
    engine.write(TASK, false, "b\n");
    engine.remove(TASK);

    assertThat(logs.resolve("stdout")).hasContent("a\nb\n");
    assertThat(engine.list()).isEmpty();
  }

  private TaskSpec spec() {
    return new TaskSpec(
        TASK,
        "alice",
        0,
        "main-0",
        "",
        "",
        Map.of(),
        "/",
        new TaskResources(1, DataSize.ZERO, DataSize.ZERO, 0, ""),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        logs,
        DataSize.ofMegabytes(1));
  }
}
