package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFinderTest {
  @TempDir private Path home;
  private Path data;
  private Login.Store logins;

  @BeforeEach
  void createDataDirectory() throws IOException {
    data = Files.createDirectory(home.resolve("data"));
    logins = Login.Store.of(Map.of(), home);
  }

  private ServerFinder.SelectedServer find(
      String server, String token, boolean isDataDirectoryGiven) {
    return new ServerFinder(logins, data, isDataDirectoryGiven).find(server, token);
  }

  private void writeLocalServer() throws IOException {
    Files.writeString(data.resolve("server.json"), "{\"url\":\"http://127.0.0.1:7\",\"pid\":1}");
    Files.writeString(data.resolve("local-token"), "local\n");
  }

  private void saveLogin() throws IOException {
    logins.save(new Login(URI.create("http://far:9286"), "alice", "remembered"));
  }

  @Test
  void find_nothingConfigured_defaultAddress() {
    ServerFinder.SelectedServer selected = find(null, null, false);
    assertThat(selected.address()).hasToString("http://127.0.0.1:9286");
    assertThat(selected.token()).isEmpty();
    assertThat(selected.isLocal()).isTrue();
  }

  @Test
  void find_localServer_usesItsToken() throws IOException {
    writeLocalServer();
    ServerFinder.SelectedServer selected = find(null, null, false);
    assertThat(selected.address()).hasToString("http://127.0.0.1:7");
    assertThat(selected.token()).isEqualTo("local");
  }

  @Test
  void find_login_precedesDefaultButNotNamedDataDirectory() throws IOException {
    writeLocalServer();
    saveLogin();
    assertThat(find(null, null, false).token()).isEqualTo("remembered");
    assertThat(find(null, null, false).isLocal()).isFalse();
    assertThat(find(null, null, true).token()).isEqualTo("local");
  }

  @Test
  void find_namedServer_tokenOnlyForTheServerItBelongsTo() throws IOException {
    writeLocalServer();
    saveLogin();
    assertThat(find("http://far:9286/", null, false).token()).isEqualTo("remembered");
    assertThat(find("http://127.0.0.1:7", null, false).token()).isEqualTo("local");
    assertThat(find("http://evil:9286", null, false).token()).isEmpty();
    assertThat(find("far:9286", null, false).address()).hasToString("http://far:9286");
    assertThat(find("http://evil:9286", "given", false).token()).isEqualTo("given");
  }

  @Test
  void address_invalid_rejected() {
    for (String invalidUrl :
        new String[] {"", "http://", "file:///etc/passwd", "a b", "http://x?y"}) {
      assertThatThrownBy(() -> ServerFinder.address(invalidUrl)).hasMessageContaining("URL");
    }
  }

  @Test
  void save_login_isReadableOnlyByOwner() throws IOException {
    saveLogin();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logins.file())))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(logins.file().getParent())))
        .isEqualTo("rwx------");
    logins.delete();
    assertThat(logins.find()).isEmpty();
  }
}
