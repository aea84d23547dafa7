package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NetworkPoolTest {
  private final NetworkPool spare = new NetworkPool();

  private static AddressRange range(int number) {
    return AddressRange.parse("10.213.0.0/16").part(24, number);
  }

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(spare.add(range(i))).isTrue();
    }
  }

  @Test
  void unneeded_afterABurst_keepsAllOnceThenFew() {
    add(0, 10);
    assertThat(spare.unneeded()).isEmpty();
    assertThat(spare.unneeded())
        .containsExactly(range(0), range(1), range(2), range(3), range(4), range(5));
    assertThat(spare.size()).isEqualTo(NetworkPool.FEW);
    assertThat(spare.unneeded()).isEmpty();
  }

  @Test
  void unneeded_keepsRecentlyUsed() {
    add(0, 10);
    assertThat(spare.unneeded()).isEmpty();
    for (int i = 9; i > 2; i--) {
      assertThat(spare.take()).contains(range(i));
    }
    add(3, 10);
    assertThat(spare.unneeded()).isEmpty();
    assertThat(spare.size()).isEqualTo(10);
  }

  @Test
  void add_isLimited() {
    add(0, NetworkPool.MOST);
    assertThat(spare.add(range(100))).isFalse();
    assertThat(spare.takeAll()).hasSize(NetworkPool.MOST);
    assertThat(spare.take()).isEmpty();
    assertThat(spare.unneeded()).isEmpty();
  }
}
