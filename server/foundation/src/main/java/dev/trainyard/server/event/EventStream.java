package dev.trainyard.server.event;

import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Response with server-sent events. The position is also sent at every heartbeat while there are no
 * relevant events, so that a client that reconnects does not read old events again.
 *
 * @param position the stream begins after this event
 * @param reset whether the client has seen events that do not exist here, as after a restore
 * @param stillAllowed whether the client would be admitted now
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

  /** Interval of checks whether the client has disconnected. */
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
   * Returns a message with an ID and without data: the client does not treat it as an event, but
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
