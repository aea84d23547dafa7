package dev.trainyard.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeyTest {
  @TempDir Path directory;

  @Test
  void of_sameJob_sameKeyAfterRestart() throws Exception {
    JobId job = new JobId("01J00000000000000000000001");
    JobKey key = new JobKeys(directory).of(job);
    assertThat(new JobKeys(directory).of(job).privateFile()).isEqualTo(key.privateFile());
    assertThat(new JobKeys(directory).of(new JobId("01J00000000000000000000002")).publicLine())
        .isNotEqualTo(key.publicLine());
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve(JobKeys.FILE))))
        .isEqualTo("rw-------");
    assertThat(key).hasToString("******");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00ff", "not hex", "\u00e9"})
  void of_damagedSeed_isRegenerated(String text) throws Exception {
    Path file = Files.writeString(directory.resolve(JobKeys.FILE), text);
    JobId job = new JobId("01J00000000000000000000001");
    JobKey key = new JobKeys(directory).of(job);
    assertThat(Files.readString(file)).hasSize(64);
    assertThat(new JobKeys(directory).of(job).publicLine()).isEqualTo(key.publicLine());
  }

  /** The first test vector of RFC 8032. */
  @Test
  void publicLine_knownSeed() {
    byte[] seed =
        java.util.HexFormat.of()
            .parseHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    JobKey key = new JobKey(seed);
    assertThat(key.publicLine())
        .isEqualTo(
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea");
    assertThat(key.privateFile())
        .startsWith("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU")
        .endsWith("\n-----END OPENSSH PRIVATE KEY-----\n");
  }

  @Test
  void privateFile_readByOpenSsh() throws Exception {
    boolean there = Files.isExecutable(Path.of("/usr/bin/ssh-keygen"));
    org.junit.jupiter.api.Assumptions.assumeTrue(there, "there is no ssh-keygen");
    JobKey key = new JobKeys(directory).of(new JobId("01J00000000000000000000001"));
    Path file = Files.writeString(directory.resolve("key"), key.privateFile());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Process reading = new ProcessBuilder("ssh-keygen", "-y", "-f", file.toString()).start();
    assertThat(new String(reading.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(key.publicLine() + " job\n");
  }

  @Test
  void config_namesAndAddresses() {
    String text =
        SshPeers.config(
            List.of(
                new SshPeers.Peer("my_w-0", "127.64.0.1", "201"),
                new SshPeers.Peer("ps-0", "10.0.0.1", "202"),
                new SshPeers.Peer("ps-1", "10.0.0.1", "203")),
            Map.of("my-w-0", "127.64.0.1", "ps-0", "10.0.0.1"));
    assertThat(text)
        .startsWith(
            """
            Host my_w-0 my-w-0 127.64.0.1
              HostName 127.64.0.1
              Port 201
            Host ps-0
              HostName 10.0.0.1
              Port 202
            Host ps-1
              HostName 10.0.0.1
              Port 203
            Host my_w-0 my-w-0 127.64.0.1 ps-0 ps-1
              IdentityFile /usr/local/pai/secrets/ssh_key
            """)
        .endsWith("  LogLevel ERROR\n");
  }
}
