package dev.trainyard.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EventWindowTest {
  private final EventWindow window = new EventWindow(10);

  /** Events with odd IDs belong to bob, those with even IDs to alice. */
  private static List<Event> events(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(
            id ->
                new Event(
                    id,
                    Instant.EPOCH,
                    "",
                    "",
                    NewEvent.of(
                        new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
                        id % 2 == 0 ? "alice" : "bob",
                        EventType.RUNNING,
                        false,
                        1,
                        Message.of("event.paused"))))
        .toList();
  }

  private static List<Long> ids(EventPage page) {
    return page.events().stream().map(Event::id).toList();
  }

  @Test
  void after_belowTheFloor_empty() {
    window.add(events(11, 13));
    assertThat(window.eventsAfter(EventScope.ALL, 9, 10)).isEmpty();
    assertThat(ids(window.eventsAfter(EventScope.ALL, 10, 10).orElseThrow()))
        .containsExactly(11L, 12L);
    assertThat(window.eventsAfter(EventScope.ALL, 12, 10).orElseThrow().events()).isEmpty();
  }

  @Test
  void after_oneOwner_positionSkipsOtherEvents() {
    window.add(events(11, 16));
    EventScope alice = new EventScope(Optional.of("alice"), Optional.empty());
    EventPage first = window.eventsAfter(alice, 10, 1).orElseThrow();
    assertThat(ids(first)).containsExactly(12L);
    assertThat(first.position()).isEqualTo(12);
    EventPage rest = window.eventsAfter(alice, first.position(), 10).orElseThrow();
    assertThat(ids(rest)).containsExactly(14L);
    assertThat(rest.position()).isEqualTo(15);
  }

  @Test
  void add_tooMany_evictsTheOldest() {
    window.add(events(11, 10_011));
    assertThat(window.eventsAfter(EventScope.ALL, 10, 10)).isEmpty();
    assertThat(window.newest()).isEqualTo(10_010);
    assertThat(ids(window.eventsAfter(EventScope.ALL, 10_008, 10).orElseThrow()))
        .containsExactly(10_009L, 10_010L);
  }
}
