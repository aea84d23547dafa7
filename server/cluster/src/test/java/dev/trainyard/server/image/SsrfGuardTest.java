package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SsrfGuardTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:9286",
        "127.1:80",
        "127.99.0.1",
        "0x7f000001:80",
        "0177.0.0.1:80",
        "2130706433:80",
        "localhost:5000",
        "[::1]:5000",
        "[::ffff:127.0.0.1]:80",
        "0.0.0.0:22",
        "169.254.169.254",
        "[fe80::1]:80",
        "100.100.100.200",
        "192.0.0.192:80",
        "[fd00:ec2::254]",
        "not a host",
        "nobody.invalid:5000",
        "[::"
      })
  void isInternal_thisNode_isTrue(String registry) {
    assertThat(SsrfGuard.isInternal(registry)).isTrue();
  }

  @Test
  void isInternal_addressesOfTheInterfacesOfThisNode() throws SocketException {
    List<InetAddress> addresses =
        NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
    for (InetAddress address : addresses) {
      String host = address.getHostAddress().replaceFirst("%.*", "");
      String registry = (host.contains(":") ? "[" + host + "]" : host) + ":5000";
      assertThat(SsrfGuard.isInternal(registry)).as(registry).isTrue();
      assertThat(SsrfGuard.isLoopback(registry))
          .as(registry)
          .isEqualTo(address.isLoopbackAddress());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.2.3:5000", "192.168.0.7", "100.100.100.201", ""})
  void isInternal_otherHost_isFalse(String registry) {
    assertThat(SsrfGuard.isInternal(registry)).isFalse();
  }
}
