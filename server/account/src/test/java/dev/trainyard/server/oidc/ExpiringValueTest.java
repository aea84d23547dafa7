package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.fixture.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExpiringValueTest {
  private final MutableClock clock = new MutableClock();
  private int fetches;
  private boolean down;
  private final ExpiringValue<Integer> expiringValue = new ExpiringValue<>(this::fetch, clock);

  private int fetch() {
    fetches++;
    if (down) {
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.oidc-off"));
    }
    return fetches;
  }

  @Test
  void value_cachedForOneHour() {
    assertThat(expiringValue.value()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(59));
    assertThat(expiringValue.value()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    assertThat(expiringValue.value()).isEqualTo(2);
  }

  @Test
  void value_sourceDown_oldValueForOneDay() {
    expiringValue.value();
    down = true;
    clock.advance(Duration.ofHours(23));
    assertThat(expiringValue.value()).isEqualTo(1);
    assertThat(expiringValue.value()).isEqualTo(1);
    assertThat(fetches).isEqualTo(2);
    clock.advance(Duration.ofHours(1));
    assertThatThrownBy(expiringValue::value).isInstanceOf(AppException.class);
  }

  @Test
  void value_neverFetched_limitsRetries() {
    down = true;
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(expiringValue::value).isInstanceOf(AppException.class);
    }
    assertThat(fetches).isEqualTo(1);
    down = false;
    clock.advance(Duration.ofSeconds(5));
    assertThat(expiringValue.value()).isEqualTo(2);
  }

  @Test
  void refetch_atMostOncePerMinute() {
    expiringValue.value();
    assertThat(expiringValue.refetch()).isEmpty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(expiringValue.refetch()).hasValue(2);
    assertThat(expiringValue.refetch()).isEmpty();
    assertThat(expiringValue.value()).isEqualTo(2);
    down = true;
    clock.advance(Duration.ofMinutes(1));
    assertThat(expiringValue.refetch()).isEmpty();
    assertThat(expiringValue.value()).isEqualTo(2);
  }
}
