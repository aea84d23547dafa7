package dev.trainyard.server.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A response that reports progress with one line of JSON per update. The last line contains the
 * result as {@code image} or {@code error}. If the client disconnects, the operation is notified: a
 * pull that no other caller waits for is canceled, but an image that is being created is completed.
 */
final class ProgressReply {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressReply.class);
  private static final Duration UPDATE_INTERVAL = Duration.ofMillis(200);

  private ProgressReply() {}

  /** A long-running operation. */
  @FunctionalInterface
  interface Operation {
    /**
     * @param stop completed when the result is no longer needed
     */
    Map<String, Object> run(CompletableFuture<?> stop, Consumer<PullProgress> progress);
  }

  static Reply of(Operation operation) {
    Reply.Stream stream = sink -> write(sink, operation);
    return Reply.of(200, stream).with("Content-Type", "application/x-ndjson");
  }

  private static void write(Reply.Sink sink, Operation operation) throws IOException {
    CompletableFuture<Void> stop = new CompletableFuture<>();
    AtomicReference<PullProgress> latest = new AtomicReference<>();
    CompletableFuture<Map<String, Object>> result =
        CompletableFuture.supplyAsync(
            () -> operation.run(stop, latest::set), task -> Thread.ofVirtual().start(task));
    try {
      PullProgress lastReported = null;
      while (!awaitResult(result)) {
        PullProgress current = latest.get();
        if (current != null && !current.equals(lastReported)) {
          lastReported = current;
          writeLine(sink, view(current));
        }
        if (sink.closed()) {
          return;
        }
      }
      writeLine(sink, outcome(result));
    } finally {
      stop.complete(null);
    }
  }

  /** Waits a short time for the result; returns whether it is available. */
  private static boolean awaitResult(CompletableFuture<?> result) {
    CompletableFuture<?> pause =
        new CompletableFuture<>()
            .completeOnTimeout(
                null, UPDATE_INTERVAL.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
    CompletableFuture.anyOf(result.handle((_, _) -> true), pause).join();
    return result.isDone();
  }

  private static Map<String, Object> outcome(CompletableFuture<Map<String, Object>> result) {
    try {
      return Map.of("image", result.join());
    } catch (CompletionException e) {
      AppException failure;
      if (e.getCause() instanceof AppException appException) {
        failure = appException;
      } else {
        LOG.error("image operation failed", e.getCause());
        failure = new AppException(ErrorCode.INTERNAL, Message.of("error.internal"));
      }
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("code", failure.code());
      error.put("message", failure.text().english());
      error.put("messageCode", failure.text().code());
      error.put("params", failure.text().params());
      return Map.of("error", error);
    }
  }

  private static Map<String, Object> view(PullProgress progress) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("percent", progress.percent());
    view.put("done", progress.done());
    view.put("total", progress.total());
    return view;
  }

  private static void writeLine(Reply.Sink sink, Map<String, Object> view) throws IOException {
    try {
      byte[] bytes = (Json.MAPPER.writeValueAsString(view) + "\n").getBytes(StandardCharsets.UTF_8);
      sink.write(bytes, 0, bytes.length);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
