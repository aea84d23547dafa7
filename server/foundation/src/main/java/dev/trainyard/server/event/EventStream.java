package dev.trainyard.server.event;

import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Response with server-sent events. Every heartbeat contains the current position, so that a client
 * that reconnects after a time without relevant events does not read old events again.
 *
 * @param position ID of the event after which the stream begins
 * @param reset whether the client has seen events that this database does not contain, as after a
 *     restore
 * @param stillAllowed returns whether the client would still be admitted
 */
record EventStream(
    EventFeed feed,
    EventScope scope,
    long position,
    boolean reset,
    Duration heartbeat,
    BooleanSupplier stillAllowed)
    implements Reply.Stream {
  private static final int PAGE_SIZE = 200;
  private static final int RECONNECT_MILLIS = 2_000;

  /** Interval at which the stream checks whether the client has disconnected. */
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

  @Override
  public void writeTo(Reply.Sink sink) throws IOException {
    try (var _ = feed.subscribe()) {
      write(sink, "retry: " + RECONNECT_MILLIS + "\n" + (reset ? resetText() : idText(position)));
      follow(sink);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void follow(Reply.Sink sink) throws IOException, InterruptedException {
    long currentPosition = position;
    long lastCheckNanos = System.nanoTime();
    while (!sink.closed()) {
      EventPage page = feed.eventsAfter(scope, currentPosition, PAGE_SIZE);
      currentPosition = page.position();
      if (!page.events().isEmpty()) {
        write(sink, text(page.events()));
      }
      boolean isCheckDue = System.nanoTime() - lastCheckNanos >= heartbeat.toNanos();
      if (isCheckDue) {
        if (!stillAllowed.getAsBoolean()) {
          return;
        }
        lastCheckNanos = System.nanoTime();
        write(sink, ":\n" + idText(currentPosition));
      }
      if (page.events().size() < PAGE_SIZE) {
        feed.await(
            currentPosition, heartbeat.compareTo(CHECK_INTERVAL) < 0 ? heartbeat : CHECK_INTERVAL);
      }
    }
  }

  /**
   * Returns a message with an ID and without data. A client does not treat it as an event, but
   * remembers the ID.
   */
  private static String idText(long id) {
    return "id: " + id + "\n\n";
  }

  private String resetText() {
    return "event: reset\ndata: {}\n" + idText(position);
  }

  private static String text(List<Event> events) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Event event : events) {
      text.append("data: ")
          .append(Json.MAPPER.writeValueAsString(EventView.of(event)))
          .append('\n')
          .append(idText(event.id()));
    }
    return text.toString();
  }

  private static void write(Reply.Sink sink, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sink.write(bytes, 0, bytes.length);
  }
}
