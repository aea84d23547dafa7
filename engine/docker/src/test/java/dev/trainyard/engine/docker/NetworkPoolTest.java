package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NetworkPoolTest {
  private final NetworkPool pool = new NetworkPool();

  private static AddressRange range(int number) {
    return AddressRange.parse("10.213.0.0/16").subnet(24, number);
  }

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(pool.add(range(i))).isTrue();
    }
  }

  @Test
  void unneeded_afterBurst_keepsAllOnceThenFew() {
    add(0, 10);
    assertThat(pool.removeUnneeded()).isEmpty();
    assertThat(pool.removeUnneeded())
        .containsExactly(range(0), range(1), range(2), range(3), range(4), range(5));
    assertThat(pool.size()).isEqualTo(NetworkPool.MIN_KEPT);
    assertThat(pool.removeUnneeded()).isEmpty();
  }

  @Test
  void unneeded_keepsRecentlyUsed() {
    add(0, 10);
    assertThat(pool.removeUnneeded()).isEmpty();
    for (int i = 9; i > 2; i--) {
      assertThat(pool.poll()).contains(range(i));
    }
    add(3, 10);
    assertThat(pool.removeUnneeded()).isEmpty();
    assertThat(pool.size()).isEqualTo(10);
  }

  @Test
  void add_isLimited() {
    add(0, NetworkPool.MAX_SIZE);
    assertThat(pool.add(range(100))).isFalse();
    assertThat(pool.removeAll()).hasSize(NetworkPool.MAX_SIZE);
    assertThat(pool.poll()).isEmpty();
    assertThat(pool.removeUnneeded()).isEmpty();
  }
}
