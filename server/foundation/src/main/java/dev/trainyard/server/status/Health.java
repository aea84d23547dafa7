package dev.trainyard.server.status;

import dev.trainyard.engine.linux.MemoryExhaustion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the components that the server depends on. A check that does not return in time counts as
 * failed. At most one check per component is in progress at a time, regardless of the number of
 * requests. Thread-safe.
 */
public final class Health {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);
  private static final Duration TIMEOUT = Duration.ofMillis(1_500);
  private static final Duration CACHE_TIME = Duration.ofSeconds(1);

  private final List<Component> components = new ArrayList<>();
  private final ThreadFactory threads;
  private final Duration timeout;
  private final Duration cacheTime;

  public Health() {
    this(TIMEOUT, CACHE_TIME, Thread.ofPlatform().daemon().factory());
  }

  /**
   * @param threads creates the threads of checks; these must be platform threads, so that a check
   *     runs even while all carriers of virtual threads are busy
   */
  Health(Duration timeout, Duration cacheTime, ThreadFactory threads) {
    this.threads = threads;
    this.timeout = timeout;
    this.cacheTime = cacheTime;
  }

  /** A check of one component; may block. */
  @FunctionalInterface
  public interface Check {
    /**
     * Returns why the component cannot be used; empty if it can be used. An exception counts as a
     * problem, with its message as the reason.
     */
    Optional<String> problem() throws Exception;
  }

  /**
   * Result of all checks.
   *
   * @param failing failed components that the server requires, with the reasons by name
   * @param degraded failed components without which the server has limited functionality, with the
   *     reasons by name
   */
  public record Report(Map<String, String> failing, Map<String, String> degraded) {}

  /** Adds a component without which the server is not ready. */
  public void require(String name, Check check) {
    add(new Component(name, true, check));
  }

  /** Adds a component without which the server has limited functionality. */
  public void prefer(String name, Check check) {
    add(new Component(name, false, check));
  }

  private synchronized void add(Component component) {
    components.add(component);
  }

  private synchronized List<Component> components() {
    return List.copyOf(components);
  }

  /** Returns the results of all checks, within two seconds. */
  public Report report() {
    List<Component> current = components();
    current.forEach(Component::refresh);
    long deadline = System.nanoTime() + timeout.toNanos();
    Map<String, String> failing = new LinkedHashMap<>();
    Map<String, String> degraded = new LinkedHashMap<>();
    for (Component component : current) {
      component
          .problem(deadline)
          .ifPresent(
              problem -> (component.required ? failing : degraded).put(component.name, problem));
    }
    return new Report(failing, degraded);
  }

  private final class Component {
    private final String name;
    private final boolean required;
    private final Check check;
    private CompletableFuture<Optional<String>> latestResult;
    private long startNanos;
    private boolean failed;

    Component(String name, boolean required, Check check) {
      this.name = name;
      this.required = required;
      this.check = check;
    }

    synchronized void refresh() {
      long now = System.nanoTime();
      if (latestResult == null
          || (latestResult.isDone() && now - startNanos > cacheTime.toNanos())) {
        startNanos = now;
        CompletableFuture<Optional<String>> result = new CompletableFuture<>();
        latestResult = result;
        start(result);
      }
    }

    private void start(CompletableFuture<Optional<String>> result) {
      try {
        Thread thread = threads.newThread(() -> run(result));
        thread.setName("health " + name);
        thread.start();
      } catch (RuntimeException | Error e) {
        // The result must be completed, because the next check starts only after this check is
        // complete.
        result.complete(Optional.of("failed to start a thread: " + e.getMessage()));
        MemoryExhaustion.terminateIfExhausted(e);
      }
    }

    private void run(CompletableFuture<Optional<String>> result) {
      try {
        result.complete(check.problem());
      } catch (Exception e) {
        result.complete(Optional.of(String.valueOf(e.getMessage())));
      } catch (Error e) {
        result.complete(Optional.of(e.toString()));
        throw e;
      }
    }

    Optional<String> problem(long deadline) {
      Optional<String> problem = await(deadline);
      record(problem);
      return problem;
    }

    private Optional<String> await(long deadline) {
      CompletableFuture<Optional<String>> result;
      long checkStart;
      synchronized (this) {
        result = latestResult;
        checkStart = startNanos;
      }
      try {
        // The time limit of a check begins when the check starts, not with this request.
        long end = Math.min(deadline, checkStart + timeout.toNanos());
        return result.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return Optional.of("no response");
      } catch (ExecutionException e) {
        return Optional.of(String.valueOf(e.getCause().getMessage()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.of("interrupted");
      }
    }

    private synchronized void record(Optional<String> problem) {
      if (problem.isPresent() != failed) {
        failed = problem.isPresent();
        if (failed) {
          LOG.warn("health check of {} failed: {}", name, problem.get());
        } else {
          LOG.info("health check of {} succeeded again", name);
        }
      }
    }
  }
}
