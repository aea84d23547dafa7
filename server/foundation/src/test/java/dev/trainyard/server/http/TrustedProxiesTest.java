package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {
  private final TrustedProxies proxies = TrustedProxies.parse("10.0.0.0/8, 192.168.1.7,fd00::/8");

  @Test
  void client_untrustedPeer_isThePeer() {
    assertThat(TrustedProxies.NONE.client("10.1.1.1", List.of("1.2.3.4"))).isEqualTo("10.1.1.1");
    assertThat(proxies.client("8.8.8.8", List.of("1.2.3.4"))).isEqualTo("8.8.8.8");
  }

  @Test
  void client_behindOneProxy() {
    assertThat(proxies.client("10.1.1.1", List.of("1.2.3.4"))).isEqualTo("1.2.3.4");
    assertThat(proxies.client("fd00::5", List.of("1.2.3.4"))).isEqualTo("1.2.3.4");
    assertThat(proxies.client("::ffff:10.1.1.1", List.of("1.2.3.4"))).isEqualTo("1.2.3.4");
  }

  @Test
  void client_forgedHeader_ignored() {
    assertThat(proxies.client("10.1.1.1", List.of("6.6.6.6, 1.2.3.4", "192.168.1.7")))
        .isEqualTo("1.2.3.4");
    assertThat(proxies.client("10.1.1.1", List.of("6.6.6.6", "nonsense"))).isEqualTo("10.1.1.1");
  }

  @Test
  void scheme_onlyFromTrusted() {
    assertThat(proxies.scheme("192.168.1.7", "https")).hasValue("https");
    assertThat(proxies.scheme("192.168.1.8", "https")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy.example", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "1.2.3"})
  void parse_invalid(String text) {
    assertThatThrownBy(() -> TrustedProxies.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
