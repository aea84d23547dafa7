package dev.trainyard.server.status;

import dev.trainyard.model.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry of the parts of the server status. A part that is currently unavailable does not affect
 * the other parts. Thread-safe.
 */
public final class StatusRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(StatusRegistry.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Map<String, Supplier<Object>> parts = new LinkedHashMap<>();
  private final List<Supplier<List<Message>>> warningSources = new ArrayList<>();
  private final Health health = new Health();

  /** Adds a part of the status under its JSON name. */
  public synchronized void add(String name, Supplier<Object> part) {
    parts.put(name, part);
  }

  public synchronized void addWarnings(Supplier<List<Message>> warningSource) {
    warningSources.add(warningSource);
  }

  /** Returns the health checks, to which other packages add their components. */
  public Health health() {
    return health;
  }

  /** Returns the current warnings. */
  public List<Message> warnings() {
    List<Message> warnings = new ArrayList<>(healthWarnings());
    warningSources().forEach(warningSource -> warnings.addAll(warningSource.get()));
    return warnings;
  }

  private List<Message> healthWarnings() {
    Health.Report report = health.report();
    List<Message> warnings = new ArrayList<>();
    report.failing().forEach((part, reason) -> warnings.add(healthWarning(part, reason)));
    report.degraded().forEach((part, reason) -> warnings.add(healthWarning(part, reason)));
    return warnings;
  }

  private static Message healthWarning(String part, String reason) {
    return Message.of("notice.health", "part", part).with("detail", reason);
  }

  private synchronized List<Supplier<List<Message>>> warningSources() {
    return List.copyOf(warningSources);
  }

  private synchronized Map<String, Supplier<Object>> parts() {
    return new LinkedHashMap<>(parts);
  }

  /**
   * Returns all parts and all warnings. A part that fails or does not return in time is null, so
   * that an unavailable database does not hide the other parts.
   */
  public Map<String, Object> view() {
    Map<String, CompletableFuture<Object>> results = new LinkedHashMap<>();
    parts().forEach((name, part) -> results.put(name, startAsync(part)));
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    List<Message> warnings = new ArrayList<>();
    Map<String, Object> view = new LinkedHashMap<>();
    results.forEach(
        (name, result) -> {
          try {
            long remainingNanos = Math.max(0, deadline - System.nanoTime());
            view.put(name, result.get(remainingNanos, TimeUnit.NANOSECONDS));
          } catch (ExecutionException e) {
            LOG.warn("failed to determine the part {} of the status", name, e.getCause());
            view.put(name, null);
            warnings.add(missingPart(name, String.valueOf(e.getCause().getMessage())));
          } catch (TimeoutException e) {
            view.put(name, null);
            warnings.add(missingPart(name, "no response"));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
          }
        });
    warnings.addAll(warnings());
    view.put("warnings", warnings.stream().map(StatusRegistry::warningView).toList());
    return view;
  }

  private static Message missingPart(String part, String detail) {
    return Message.of("notice.status-part", "part", part).with("detail", detail);
  }

  private static CompletableFuture<Object> startAsync(Supplier<Object> part) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(part.get());
              } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static Map<String, Object> warningView(Message message) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("code", message.code());
    view.put("message", message.english());
    view.put("params", message.params());
    return view;
  }
}
