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
 * An answer that tells how far something is, a line of JSON each time, and in its last line what
 * came of it: {@code image} or {@code error}. If the client goes, the work is told so: a pull that
 * nobody else waits for is given up, an image that is being made is made all the same.
 */
final class ProgressReply {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressReply.class);
  private static final Duration PACE = Duration.ofMillis(200);

  private ProgressReply() {}

  /** Something that takes long. */
  @FunctionalInterface
  interface Work {
    /**
     * @param stop completed when nobody wants it any more
     */
    Map<String, Object> run(CompletableFuture<?> stop, Consumer<PullProgress> progress);
  }

  static Reply of(Work work) {
    Reply.Stream stream = sink -> write(sink, work);
    return Reply.of(200, stream).with("Content-Type", "application/x-ndjson");
  }

  private static void write(Reply.Sink sink, Work work) throws IOException {
    CompletableFuture<Void> stop = new CompletableFuture<>();
    AtomicReference<PullProgress> newest = new AtomicReference<>();
    CompletableFuture<Map<String, Object>> result =
        CompletableFuture.supplyAsync(
            () -> work.run(stop, newest::set), task -> Thread.ofVirtual().start(task));
    try {
      PullProgress told = null;
      while (!settled(result)) {
        PullProgress now = newest.get();
        if (now != null && !now.equals(told)) {
          told = now;
          line(sink, view(now));
        }
        if (sink.closed()) {
          return;
        }
      }
      line(sink, outcome(result));
    } finally {
      stop.complete(null);
    }
  }

  /** Waits a little for it. */
  private static boolean settled(CompletableFuture<?> result) {
    CompletableFuture<?> pause =
        new CompletableFuture<>()
            .completeOnTimeout(null, PACE.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
    CompletableFuture.anyOf(result.handle((_, _) -> true), pause).join();
    return result.isDone();
  }

  private static Map<String, Object> outcome(CompletableFuture<Map<String, Object>> result) {
    try {
      return Map.of("image", result.join());
    } catch (CompletionException e) {
      AppException refusal;
      if (e.getCause() instanceof AppException said) {
        refusal = said;
      } else {
        LOG.error("an image could not be worked on", e.getCause());
        refusal = new AppException(ErrorCode.INTERNAL, Message.of("error.internal"));
      }
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("code", refusal.code());
      error.put("message", refusal.text().english());
      error.put("messageCode", refusal.text().code());
      error.put("params", refusal.text().params());
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

  private static void line(Reply.Sink sink, Map<String, Object> view) throws IOException {
    try {
      byte[] bytes = (Json.MAPPER.writeValueAsString(view) + "\n").getBytes(StandardCharsets.UTF_8);
      sink.write(bytes, 0, bytes.length);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
