package dev.trainyard.server.event;

import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Server-Sent Events. The position is also sent from time to time while there are no relevant
 * events, so that a client resumes near the present after the connection breaks.
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
  private static final int PIECE = 200;
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
    long at = position;
    long checked = System.nanoTime();
    while (!sink.closed()) {
      EventPage page = feed.after(scope, at, PIECE);
      at = page.position();
      if (!page.events().isEmpty()) {
        write(sink, text(page.events()));
      }
      boolean due = System.nanoTime() - checked >= heartbeat.toNanos();
      if (due) {
        if (!stillAllowed.getAsBoolean()) {
          return;
        }
        checked = System.nanoTime();
        write(sink, ":\n" + idText(at));
      }
      if (page.events().size() < PIECE) {
        feed.await(at, heartbeat.compareTo(CHECK_INTERVAL) < 0 ? heartbeat : CHECK_INTERVAL);
      }
    }
  }

  /** Without data it is not an event, but the client remembers the ID. */
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
