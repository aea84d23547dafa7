package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.ExitReason;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends tasks: politely with a grace, or at once. */
final class Stops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Stops.class);
  private static final int SIGKILL = 9;
  private static final Duration KILL_DEADLINE = Duration.ofSeconds(10);

  /** What the task has printed before its end may need that long to get to the logs. */
  private static final Duration COPY_DEADLINE = Duration.ofSeconds(3);

  private final Workplace workplace;
  private final Observations observations;
  private final Path killScript;
  private volatile boolean closed;

  Stops(Workplace workplace, Observations observations) {
    this.workplace = workplace;
    this.observations = observations;
    try {
      killScript = Scripts.unpack("kill.sh", workplace.data().resolve("bin"));
    } catch (IOException e) {
      throw new EngineException("the engine's scripts can't be written: " + e.getMessage(), e);
    }
  }

  /** Returns at once. The marker tells a later server too that this end was asked for, and when. */
  void stop(TaskDirectory task, Duration grace) {
    try {
      if (task.hasEnded() || !task.isReserved()) {
        return;
      }
      task.markStopped(System.nanoTime() + grace.toNanos());
      if (task.claim()) {
        task.recordEnd(EndRecord.byPlatform(ExitReason.STOPPED, ""));
        observations.tellEnd(task);
        return;
      }
      goOn(task, System.nanoTime() + grace.toNanos());
    } catch (NoSuchFileException e) {
      LOG.debug("task {} is removed", task.id());
    } catch (IOException e) {
      throw new EngineException("the task can't be stopped: " + e.getMessage(), e);
    }
  }

  /** A stop that an earlier server began: what is left of its grace. */
  void adopt(TaskDirectory task) throws IOException {
    if (task.stopDeadline().isPresent() && !task.hasEnded() && task.isClaimed()) {
      goOn(task, task.stopDeadline().getAsLong());
    }
  }

  private void goOn(TaskDirectory task, long deadline) {
    Thread.ofVirtual()
        .name("stop " + task.id())
        .start(
            () -> {
              try {
                terminate(task, deadline);
              } catch (IOException e) {
                LOG.error("task {} can't be stopped", task.id(), e);
              }
            });
  }

  private void terminate(TaskDirectory task, long deadline) throws IOException {
    TaskDirectory.Supervisor supervisor = awaitSupervisor(task);
    if (supervisor == null) {
      return;
    }
    Optional<PidFd> process = workplace.supervisors().hold(supervisor);
    if (process.isEmpty()) {
      return;
    }
    ask(supervisor);
    if (ended(process.get(), deadline)) {
      return;
    }
    killProcesses(task, supervisor);
    if (ended(process.get(), System.nanoTime() + COPY_DEADLINE.toNanos())) {
      return;
    }
    // Somebody outside keeps the task's output open, which he was handed: the copiers would wait
    // for its end for ever, and the supervisor for them. Without them it writes the end.
    run(supervisor, List.of(workplace.tools().path("sh"), "-c", "kill -KILL -1"));
  }

  /** One that has made its claim has not always written its line yet. */
  private TaskDirectory.Supervisor awaitSupervisor(TaskDirectory task) throws IOException {
    while (!closed && !task.hasEnded()) {
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isPresent()) {
        return supervisor.get();
      }
      if (observations.look(task).flatMap(seen -> seen.end()).isPresent()) {
        return null; // lost
      }
      Pause.briefly();
    }
    return null;
  }

  /** To all at the same instant: a shell in the middle would not pass it on. */
  private void ask(TaskDirectory.Supervisor supervisor) throws IOException {
    run(supervisor, List.of(workplace.tools().path("sh"), "-c", "kill -TERM -1"));
  }

  private void killProcesses(TaskDirectory task, TaskDirectory.Supervisor supervisor)
      throws IOException {
    run(
        supervisor,
        List.of(
            workplace.tools().path("sh"),
            killScript.toString(),
            task.root().resolve("proc").toString(),
            Integer.toString(supervisor.out()),
            Integer.toString(supervisor.err())));
  }

  private void run(TaskDirectory.Supervisor supervisor, List<String> command) throws IOException {
    List<String> all = new ArrayList<>(workplace.sandbox().reach(supervisor));
    all.addAll(command);
    PidFd tool = Spawn.of(all).environment(Map.of("PATH", Scripts.TOOL_PATH)).start();
    if (!ended(tool, System.nanoTime() + KILL_DEADLINE.toNanos())) {
      tool.signal(SIGKILL);
    }
  }

  private static boolean ended(PidFd process, long deadline) {
    try {
      process.onExit().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Kills all that belongs to the task and waits until it is gone; it can't start any more. */
  void kill(TaskDirectory task) throws IOException {
    try {
      task.claim();
    } catch (NoSuchFileException e) {
      return;
    }
    Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
    Optional<PidFd> process =
        supervisor.isPresent() ? workplace.supervisors().hold(supervisor.get()) : Optional.empty();
    if (process.isPresent()) {
      process.get().signal(SIGKILL);
      if (!ended(process.get(), System.nanoTime() + KILL_DEADLINE.toNanos())) {
        throw new IOException("its processes don't end");
      }
    }
  }

  /** A stop under way stays asked for; whoever comes next goes on with it. */
  @Override
  public void close() {
    closed = true;
  }
}
