package dev.trainyard.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdRangeTest {
  @Test
  void of_rangesFollowEachOther() {
    assertThat(IdRange.of(0).base()).isEqualTo(0x70000000);
    assertThat(IdRange.of(1).base()).isEqualTo(0x70010000);
    assertThat(IdRange.of(1).mapping()).isEqualTo("0 1879113728 65536\n");
  }

  @Test
  void of_lastOneEndsBeforeTheSpare() {
    int last = IdRange.capacity() - 1;

    assertThat(IdRange.of(last).base() + IdRange.SIZE).isEqualTo(IdRange.spare().base());
    assertThat(IdRange.spare().base() + IdRange.SIZE).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4094, 5000, Integer.MAX_VALUE})
  void of_beyond(int user) {
    assertThatThrownBy(() -> IdRange.of(user))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("room for 4094 users");
  }
}
