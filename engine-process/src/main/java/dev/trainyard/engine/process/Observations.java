package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees how tasks stand, and tells the watcher. Ends are seen as they are renamed into one
 * directory; the end of a supervisor of ours by its exit; of one that an earlier server started by
 * looking now and then, as such an end without a record is rare.
 */
final class Observations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Observations.class);
  private static final int CODE_BYTES = 64;
  private static final int ERROR_BYTES = 4096;
  private static final Duration CLAIM_TO_SUPERVISOR = Duration.ofSeconds(10);

  private final Workplace workplace;
  private final WatchService ends;
  private final Set<TaskId> adopted = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService telling =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-observer").factory());
  private volatile Consumer<TaskObservation> observer = _ -> {};

  Observations(Workplace workplace) {
    this.workplace = workplace;
    try {
      ends = workplace.ends().getFileSystem().newWatchService();
      workplace.ends().register(ends, StandardWatchEventKinds.ENTRY_CREATE);
      findAdopted();
    } catch (IOException e) {
      throw new EngineException("the ends of tasks can't be watched: " + e.getMessage(), e);
    }
    Thread.ofPlatform().daemon().name("engine-ends").start(this::followEnds);
    var _ = telling.scheduleWithFixedDelay(this::lookAfterAdopted, 1, 1, TimeUnit.SECONDS);
  }

  void watch(Consumer<TaskObservation> newObserver) {
    observer = newObserver;
  }

  void started(TaskId task) {
    tell(TaskObservation.running(task));
  }

  /** Usually after its record; without one the task is lost. */
  void supervisorEnded(TaskDirectory task) {
    try {
      telling.execute(() -> look(task));
    } catch (RejectedExecutionException e) {
      // closed; the next server finds it
    }
  }

  /** How a task stands now. A loss that is found is recorded, and so told to the watcher too. */
  Optional<TaskObservation> look(TaskDirectory task) {
    try {
      if (!task.hasEnded()) {
        if (!Files.isDirectory(task.path())) {
          return Optional.empty();
        }
        if (!task.isClaimed()) {
          return Optional.of(TaskObservation.reserved(task.id()));
        }
        Optional<EndRecord> loss = loss(task);
        if (loss.isEmpty()) {
          return Optional.of(TaskObservation.running(task.id()));
        }
        task.recordEnd(loss.get());
      }
      return Optional.of(TaskObservation.ended(task.id(), end(task)));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // removed meanwhile
    } catch (IOException e) {
      throw new EngineException("task " + task.id() + " can't be read: " + e.getMessage(), e);
    }
  }

  private Optional<EndRecord> loss(TaskDirectory task) throws IOException {
    var supervisor = task.supervisor();
    if (supervisor.isEmpty()) {
      Instant claimed = Files.getLastModifiedTime(task.file("claim")).toInstant();
      boolean waiting = claimed.plus(CLAIM_TO_SUPERVISOR).isAfter(Instant.now());
      return waiting ? Optional.empty() : lost("its supervisor ended before it began");
    }
    if (!workplace.supervisors().isOfThisBoot(supervisor.get())) {
      return Optional.of(
          EndRecord.byPlatform(ExitReason.NODE_LOST, "the machine was restarted while it ran"));
    }
    // In this order: the record is there before the supervisor is gone.
    boolean gone = !workplace.supervisors().isAlive(supervisor.get());
    return gone && !task.hasEnded() ? lost("its supervisor was killed") : Optional.empty();
  }

  private static Optional<EndRecord> lost(String detail) {
    return Optional.of(EndRecord.byPlatform(ExitReason.SUPERVISOR_LOST, detail));
  }

  private static TaskEnd end(TaskDirectory task) throws IOException {
    return EndRecord.parse(Files.readString(task.end()))
        .understood(
            head(task.file("code"), CODE_BYTES),
            head(task.file("error"), ERROR_BYTES),
            task.isStopped(),
            Files.getLastModifiedTime(task.end()).toInstant());
  }

  /** A task may reach these files through its first process, so they may be of any size. */
  private static String head(Path file, int bytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private void followEnds() {
    try {
      while (true) {
        WatchKey key = ends.take();
        for (WatchEvent<?> event : key.pollEvents()) {
          if (event.context() instanceof Path name) {
            tellEnd(name.toString());
          } else {
            tellAllEnds(); // more happened than the kernel could remember
          }
        }
        key.reset();
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      LOG.debug("no longer watching");
    }
  }

  private void tellAllEnds() {
    try (var all = Files.newDirectoryStream(workplace.ends())) {
      all.forEach(file -> tellEnd(file.getFileName().toString()));
    } catch (IOException e) {
      LOG.warn("the ends of tasks can't be read", e);
    }
  }

  private void tellEnd(String name) {
    try {
      look(workplace.task(TaskId.parse(name))).ifPresent(this::tell);
    } catch (IllegalArgumentException | EngineException e) {
      LOG.warn("the end {} can't be read", name, e);
    }
  }

  private void tell(TaskObservation observation) {
    try {
      telling.execute(() -> tellNow(observation));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed before {} was told", observation.id());
    }
  }

  private void tellNow(TaskObservation observation) {
    try {
      observer.accept(observation);
    } catch (RuntimeException e) {
      LOG.error("the watcher failed at {}", observation.id(), e);
    }
  }

  private void findAdopted() throws IOException {
    try (var directories = Files.newDirectoryStream(workplace.tasks())) {
      for (Path directory : directories) {
        adopted.add(TaskId.parse(directory.getFileName().toString()));
      }
    }
  }

  private void lookAfterAdopted() {
    adopted.removeIf(
        id -> {
          try {
            Optional<TaskObservation> seen = look(workplace.task(id));
            return seen.isEmpty() || seen.get().phase() == TaskObservation.Phase.ENDED;
          } catch (EngineException e) {
            LOG.warn("task {} can't be looked after now", id, e);
            return false;
          }
        });
  }

  @Override
  public void close() {
    telling.shutdownNow();
    try {
      ends.close();
    } catch (IOException e) {
      LOG.debug("closing", e);
    }
  }
}
