package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.LogChunk;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A server process that ends at a given boundary: just before or just after one of its calls of the
 * database or the engine. From then on none of its calls has any effect, as after kill -9.
 */
final class CrashSimulator {
  /** Stops a thread of a server that was killed. */
  static final class Killed extends Error {}

  private final int lastBoundary;
  private final AtomicInteger boundaries = new AtomicInteger();
  private final ReadWriteLock calls = new ReentrantReadWriteLock();
  private volatile boolean crashed;

  CrashSimulator(int lastBoundary) {
    this.lastBoundary = lastBoundary;
  }

  boolean hasCrashed() {
    return crashed;
  }

  /** Ends the server now, if it has not ended before; when this returns, no call is in progress. */
  void end() {
    calls.writeLock().lock();
    try {
      crashed = true;
    } finally {
      calls.writeLock().unlock();
    }
  }

  private <T> T call(Supplier<T> effect) {
    calls.readLock().lock();
    try {
      boundary();
      T result = effect.get();
      boundary();
      return result;
    } finally {
      calls.readLock().unlock();
    }
  }

  private void call(Runnable effect) {
    call(
        () -> {
          effect.run();
          return true;
        });
  }

  private void boundary() {
    if (boundaries.incrementAndGet() >= lastBoundary) {
      crashed = true;
    }
    if (crashed) {
      throw new Killed();
    }
  }

  Db crashing(Db db) {
    return new Db() {
      @Override
      public <T> T write(Transaction<T> work) {
        return call(() -> db.write(work));
      }

      @Override
      public <T> T read(Transaction<T> work) {
        return call(() -> db.read(work));
      }

      @Override
      public void close() {}
    };
  }

  Engine crashing(Engine engine) {
    return new CrashingEngine(engine);
  }

  private final class CrashingEngine implements Engine {
    private final Engine engine;

    CrashingEngine(Engine engine) {
      this.engine = engine;
    }

    @Override
    public String name() {
      return engine.name();
    }

    @Override
    public List<Node> nodes() {
      return engine.nodes();
    }

    @Override
    public void prepareVolume(Volume volume, int idRange) {
      call(() -> engine.prepareVolume(volume, idRange));
    }

    @Override
    public String reserve(TaskSpec task) {
      return call(() -> engine.reserve(task));
    }

    @Override
    public void start(TaskId task, TaskStart late) {
      call(() -> engine.start(task, late));
    }

    @Override
    public void stop(TaskId task, Duration grace) {
      call(() -> engine.stop(task, grace));
    }

    @Override
    public List<TaskObservation> list() {
      return call(engine::list);
    }

    @Override
    public void remove(TaskId task) {
      call(() -> engine.remove(task));
    }

    @Override
    public LogChunk follow(TaskId task, LogStream stream, String cursor) {
      return call(() -> engine.follow(task, stream, cursor));
    }

    @Override
    public boolean isPortFree(String node, int port) {
      return call(() -> engine.isPortFree(node, port));
    }

    @Override
    public void watch(Consumer<TaskObservation> observer) {
      engine.watch(observer);
    }

    @Override
    public void close() {}
  }
}
