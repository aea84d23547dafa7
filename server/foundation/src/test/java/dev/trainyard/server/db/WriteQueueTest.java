package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.server.work.Requester;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteQueueTest {
  private final WriteQueue<String> queue = new WriteQueue<>();
  private final Requester alice = requester("alice");
  private final Requester bob = requester("bob");
  private final Requester carol = requester("carol");

  private static Requester requester(String key) {
    Requester requester = new Requester(() -> key);
    requester.identify();
    return requester;
  }

  private List<String> drain() {
    List<String> taken = new ArrayList<>();
    for (String next = queue.poll(); next != null; next = queue.poll()) {
      taken.add(next);
    }
    return taken;
  }

  @Test
  void poll_usersTakeTurns() {
    for (int i = 1; i <= 4; i++) {
      queue.add(alice, "a" + i);
    }
    queue.add(bob, "b1");
    queue.add(bob, "b2");
    queue.add(carol, "c1");
    assertThat(queue.size()).isEqualTo(7);
    assertThat(drain()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    assertThat(queue.size()).isZero();
  }

  @Test
  void poll_userWhoReturns_isBehindTheOthers() {
    queue.add(alice, "a1");
    queue.add(alice, "a2");
    queue.add(bob, "b1");
    assertThat(queue.poll()).isEqualTo("a1");
    assertThat(queue.poll()).isEqualTo("b1");
    queue.add(bob, "b2");
    assertThat(drain()).containsExactly("a2", "b2");
  }

  @Test
  void poll_serverWrites_areFirstWithoutExcludingUsers() {
    queue.add(alice, "alice");
    for (int i = 0; i < 2 * WriteQueue.MAX_SERVER_IN_A_ROW; i++) {
      queue.add(Requester.SERVER, "server");
    }
    List<String> taken = drain();
    assertThat(taken.indexOf("alice")).isEqualTo(WriteQueue.MAX_SERVER_IN_A_ROW);
    assertThat(taken).hasSize(2 * WriteQueue.MAX_SERVER_IN_A_ROW + 1);
  }

  @Test
  void close_queuedElementsAreTaken_furtherOnesAreRejected() throws InterruptedException {
    queue.add(alice, "a1");
    queue.close();
    assertThatThrownBy(() -> queue.add(alice, "a2")).isInstanceOf(IllegalStateException.class);
    assertThat(queue.take()).isEqualTo("a1");
    assertThat(queue.take()).isNull();
  }
}
