package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.server.work.Requester;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ConnectionTurnsTest {
  @Test
  void begin_manyOfOneUser_otherUserIsNext() throws Exception {
    ConnectionTurns turns = new ConnectionTurns(1, Duration.ofMinutes(5));
    List<String> order = new CopyOnWriteArrayList<>();
    turns.begin();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (String user : List.of("alice", "alice", "alice", "bob")) {
        Requester requester = new Requester(() -> user);
        requester.identify();
        all.add(
            threads.submit(
                () ->
                    requester.run(
                        () -> {
                          turns.begin();
                          order.add(user);
                          turns.end();
                        })));
        while (turns.queued() < all.size()) {
          Thread.onSpinWait();
        }
      }
      turns.end();
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(order).containsExactly("alice", "bob", "alice", "alice");
    turns.begin();
    turns.end();
  }

  @Test
  void begin_waitsTooLong_failsAsUnavailable() {
    ConnectionTurns turns = new ConnectionTurns(1, Duration.ofMillis(1));
    turns.begin();
    assertThatThrownBy(turns::begin)
        .satisfies(e -> assertThat(Outages.kind(e)).contains(Outages.Kind.AWAY));
    turns.end();
    turns.begin();
    turns.end();
  }
}
