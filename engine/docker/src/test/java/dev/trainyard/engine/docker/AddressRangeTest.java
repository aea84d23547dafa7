package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
  @Test
  void part_isWithinTheRange() {
    AddressRange range = AddressRange.parse("10.213.0.0/16");

    assertThat(range.subnetCount(24)).isEqualTo(256);
    assertThat(range.subnet(24, 255)).hasToString("10.213.255.0/24");
    assertThat(range.subnet(24, 7).address(9)).isEqualTo("10.213.7.9");
    assertThat(AddressRange.parse("10.0.0.0/25").subnetCount(24)).isZero();
  }

  @Test
  void overlaps_onlyWithSharedAddresses() {
    AddressRange range = AddressRange.parse("10.213.4.0/24");

    assertThat(range.overlaps(AddressRange.parse("10.0.0.0/8"))).isTrue();
    assertThat(range.overlaps(AddressRange.parse("10.213.4.128/25"))).isTrue();
    assertThat(range.overlaps(AddressRange.parse("10.213.5.0/24"))).isFalse();
    assertThat(AddressRange.parse("255.255.255.0/24").overlaps(range)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.213.0.0", "10.213.0.1/16", "10.256.0.0/16", "10.0.0.0/33", "x/8"})
  void parse_invalidRange(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text)).isInstanceOf(EngineException.class);
  }
}
