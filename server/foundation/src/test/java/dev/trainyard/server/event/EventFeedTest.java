package dev.trainyard.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.CommitOrder;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Order, IDs and limits of events. */
@EveryDatabase
class EventFeedTest {
  private static final String J1 = "01ARZ3NDEKTSV4RRFFQ69G5FA1";
  private static final String J2 = "01ARZ3NDEKTSV4RRFFQ69G5FA2";
  private static final int WRITERS = 8;
  private static final int EACH = 100;

  private final Db db;
  private final EventStore store = new EventStore();
  private final EventFeed feed;

  EventFeedTest(Db db) {
    this.db = db;
    this.feed = new EventFeed(db, store);
  }

  @BeforeEach
  void start() {
    for (String job : List.of(J1, J2)) {
      db.write(
          handle ->
              handle.execute(
                  "insert into job (id, version, user_id, user_name, name, state, format, image,"
                      + " virtual_cluster, cpus, memory_mb, devices, task_count, attempt,"
                      + " submitted) values (?, 1, 'u1', 'alice', ?, 'SUCCEEDED', 'f', 'i', 'd', 1,"
                      + " 1, 0, 1, 1, 1)",
                  job,
                  job));
    }
    feed.start();
  }

  @AfterEach
  void close() {
    feed.close();
  }

  private static NewEvent event(String job, EventType type) {
    return NewEvent.of(
        new JobId(job), "u1", type, false, 1, Message.of("event.submitted", "user", "alice"));
  }

  private void write(String job, int count, EventType type) {
    db.write(
        handle -> {
          List<NewEvent> events = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            events.add(event(job, type));
          }
          store.insert(handle, events, Instant.EPOCH);
          return null;
        });
  }

  private List<Event> all() {
    return db.read(handle -> store.listAfter(handle, EventScope.ALL, 0, 100_000));
  }

  @Test
  void follow_concurrentWrites_noGapsAndNoDuplicates() throws Exception {
    AtomicInteger left = new AtomicInteger(WRITERS);
    List<Long> seen = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        var _ = feed.subscribe()) {
      for (int i = 0; i < WRITERS; i++) {
        String job = i % 2 == 0 ? J1 : J2;
        writers.execute(
            () -> {
              try {
                for (int each = 0; each < EACH; each++) {
                  write(job, 1 + each % 3, EventType.RUNNING);
                  feed.eventsWritten();
                }
              } finally {
                left.decrementAndGet();
              }
            });
      }
      long position = 0;
      boolean more = true;
      while (more) {
        boolean writing = left.get() > 0;
        EventPage page = feed.eventsAfter(EventScope.ALL, position, 50);
        page.events().forEach(event -> seen.add(event.id()));
        position = page.position();
        more = writing || !page.events().isEmpty() || position < feed.newest();
        feed.await(position, Duration.ofMillis(20));
      }
    }
    assertThat(seen).containsExactlyElementsOf(all().stream().map(Event::id).toList());
    assertThat(seen).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(WRITERS * EACH);
  }

  @Test
  void ids_areNeverReused() {
    write(J1, 1, EventType.SUBMITTED);
    write(J2, 3, EventType.RUNNING);
    long newest = all().getLast().id();
    db.write(handle -> handle.execute("delete from job where id = ?", J2));
    assertThat(all()).hasSize(1);
    assertThat(feed.existed(newest)).isTrue();
    assertThat(feed.existed(newest + 1)).isFalse();
    write(J1, 1, EventType.RUNNING);
    assertThat(all().getLast().id()).isGreaterThan(newest);
  }

  @Test
  void settle_afterARestore_continuesAboveExistingIds() {
    db.write(
        handle ->
            handle.execute(
                "insert into event (id, job_id, user_id, happened, type, warning, attempt, code,"
                    + " params) values (500, ?, 'u1', 1, 'RUNNING', 0, 1, 'event.paused',"
                    + " '{}')",
                J1));
    for (int i = 0; i < 2; i++) {
      db.write(
          handle -> {
            CommitOrder.advanceSequence(handle, EventStore.TABLE, new EventStore().newest(handle));
            return null;
          });
    }
    write(J1, 1, EventType.RUNNING);
    assertThat(all()).extracting(Event::id).containsExactly(500L, 501L);
  }

  @Test
  void pruning_keepsSubmissionAndNewest() {
    write(J1, 1, EventType.SUBMITTED);
    write(J1, 1_200, EventType.RUNNING);
    write(J2, 10, EventType.RUNNING);
    List<Event> before = all();
    assertThat(new EventPruning(db, store, 10).deleteSurplus()).isEqualTo(1_191);
    List<Event> kept = all();
    assertThat(kept).hasSize(20);
    assertThat(kept.getFirst().details().type()).isEqualTo(EventType.SUBMITTED);
    assertThat(kept.subList(1, 20)).isEqualTo(before.subList(before.size() - 19, before.size()));
    assertThat(new EventPruning(db, store, 10).deleteSurplus()).isZero();
  }
}
