package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.SecretFiles;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretStreamTest {
  @Test
  void of_countsBytes() {
    SecretFiles secrets = new SecretFiles(Map.of("user.sh", "密\nx"));
    assertThat(new String(SecretStream.of(secrets), StandardCharsets.UTF_8))
        .isEqualTo("secrets " + 4 * 4096 + "\nuser.sh 5\n密\nx.\n");
    assertThat(secrets.toString()).doesNotContain("x\n");
  }

  @Test
  void addMount_afterThePlatformFiles_onlyOnce() {
    String table =
        """
        /data/a\\040b/platform ./root/usr/local/pai none bind 0 0
        none ./root/usr/local/pai none remount,bind,ro 0 0
        /data/home ./root/userhome none bind 0 0
        """;
    String tableWithSecrets = SecretStream.addMount(table, "/data/a b/platform");
    assertThat(tableWithSecrets.lines())
        .containsExactly(
            "/data/a\\040b/platform ./root/usr/local/pai none bind 0 0",
            "none ./root/usr/local/pai none remount,bind,ro 0 0",
            "secrets ./root/usr/local/pai/secrets none bind,nosuid,nodev,noexec 0 0",
            "none ./root/usr/local/pai/secrets none remount,bind,ro,nosuid,nodev,noexec 0 0",
            "/data/home ./root/userhome none bind 0 0");
    assertThat(SecretStream.addMount(tableWithSecrets, "/data/a b/platform"))
        .isEqualTo(tableWithSecrets);
  }
}
