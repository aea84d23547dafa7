package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdRangeTest {
  @Test
  void of_firstUsers_rangesAreAdjacent() {
    assertThat(IdRange.of(0).base()).isEqualTo(0x70000000);
    assertThat(IdRange.of(1).base()).isEqualTo(0x70010000);
    assertThat(IdRange.of(1).mapping()).isEqualTo("0 1879113728 65536\n");
  }

  /** The ranges of existing users never change when users are added. */
  @Test
  void of_manyUsers() {
    assertThat(IdRange.of(4093).base() + IdRange.SIZE).isEqualTo(IdRange.unused().base());
    assertThat(IdRange.unused().base() + IdRange.SIZE).isPositive();
    assertThat(IdRange.of(4094).base() + IdRange.SIZE).isEqualTo(IdRange.of(0).base());
    assertThat(IdRange.of(IdRange.capacity() - 1).base()).isEqualTo(0x3C000000);
    assertThat(IntStream.range(0, IdRange.capacity()).mapToObj(IdRange::of))
        .doesNotHaveDuplicates()
        .allMatch(range -> IdRange.belongsToUser(range.base()))
        .noneMatch(range -> range.contains(IdRange.unused().base()));
    assertThat(IdRange.belongsToUser(0x3C000000 - 1)).isFalse();
    assertThat(IdRange.belongsToUser(IdRange.unused().base())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 17_406, 20_000, Integer.MAX_VALUE})
  void of_userNumberOutOfRange(int user) {
    assertThatThrownBy(() -> IdRange.of(user))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("at most 17406 users");
  }
}
