package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.testkit.FileLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthFileTest {
  private static final String LOGIN = "lab:5000\nalice\nsecret\n";

  @TempDir Path directory;
  private Path home;

  @BeforeEach
  void createHome() throws IOException {
    home = Files.createDirectories(directory.resolve("home/alice"));
    Files.writeString(directory.resolve("home/other"), LOGIN);
    Files.writeString(home.resolve("auth"), LOGIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auth", "/userhome/auth", "~/auth", "$HOME/auth", "./auth"})
  void read_inTheHome(String name) throws IOException {
    AuthFile.Content content = AuthFile.read(home, name);
    assertThat(content.registry()).isEqualTo("lab:5000");
    assertThat(content.password()).isEqualTo("secret");
    assertThat(content.toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../other", "/userhome/../other", "/etc/hostname", "link", "none", "."})
  void read_outsideTheHome_rejected(String name) throws IOException {
    Files.createSymbolicLink(home.resolve("link"), directory.resolve("home/other"));
    assertThatThrownBy(() -> AuthFile.read(home, name)).isInstanceOf(IOException.class);
  }

  @Test
  void read_pipe_doesNotBlock() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", home.resolve("pipe").toString()).start().waitFor())
        .isZero();
    assertThatThrownBy(() -> AuthFile.read(home, "pipe"))
        .hasMessageContaining("not a regular file");
  }

  /** A kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void read_leased_doesNotBlock() throws Exception {
    try (FileLease _ = FileLease.take(home.resolve("auth"))) {
      assertThatThrownBy(() -> AuthFile.read(home, "auth")).isInstanceOf(IOException.class);
    }
    assertThat(AuthFile.read(home, "auth").password()).isEqualTo("secret");
  }

  @Test
  void read_otherFile_errorRevealsNoContent() throws IOException {
    Files.writeString(home.resolve("short"), "lab\nsecret");
    Files.writeString(home.resolve("long"), "x".repeat(5000));
    assertThatThrownBy(() -> AuthFile.read(home, "short"))
        .hasMessageContaining("three lines")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> AuthFile.read(home, "long")).hasMessageContaining("too long");
  }
}
