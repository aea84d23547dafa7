package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostsFileTest {
  private static final String LOCAL =
      "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n";

  @Test
  void of_listsEachHostOnce() {
    Map<String, String> hosts = Map.of("b-1", "127.1.0.3", "a-0", "127.1.0.2");
    for (String hostName : new String[] {"a-0", "b-1"}) {
      assertThat(HostsFile.of(hostName, "127.1.0.9", hosts))
          .isEqualTo(LOCAL + "127.1.0.2 a-0\n127.1.0.3 b-1\n");
    }
  }

  @Test
  void of_singleTask() {
    assertThat(HostsFile.of("a-0", "127.1.0.9", Map.of())).isEqualTo(LOCAL + "127.1.0.9 a-0\n");
    assertThat(HostsFile.of("b-0", "127.1.0.8", Map.of())).isEqualTo(LOCAL + "127.1.0.8 b-0\n");
  }

  @Test
  void of_invalidHost() {
    assertThatThrownBy(() -> HostsFile.of("a", "1.2.3.4", Map.of("b c", "1.2.3.4")))
        .isInstanceOf(EngineException.class);
    assertThatThrownBy(() -> HostsFile.of("a", "1.2.3.4\n1.1.1.1 x", Map.of()))
        .isInstanceOf(EngineException.class);
  }
}
