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
  void empty() throws IOException {
    data = Files.createDirectory(home.resolve("data"));
    logins = Login.Store.of(Map.of(), home);
  }

  private ServerFinder.Found find(String server, String token, boolean dataNamed) {
    return new ServerFinder(logins, data, dataNamed).find(server, token);
  }

  private void localServer() throws IOException {
    Files.writeString(data.resolve("server.json"), "{\"url\":\"http://127.0.0.1:7\",\"pid\":1}");
    Files.writeString(data.resolve("local-token"), "local\n");
  }

  private void signedIn() throws IOException {
    logins.save(new Login(URI.create("http://far:9286"), "alice", "remembered"));
  }

  @Test
  void find_nothingConfigured_defaultAddress() {
    ServerFinder.Found found = find(null, null, false);
    assertThat(found.address()).hasToString("http://127.0.0.1:9286");
    assertThat(found.token()).isEmpty();
    assertThat(found.local()).isTrue();
  }

  @Test
  void find_localServer_usesItsToken() throws IOException {
    localServer();
    ServerFinder.Found found = find(null, null, false);
    assertThat(found.address()).hasToString("http://127.0.0.1:7");
    assertThat(found.token()).isEqualTo("local");
  }

  @Test
  void find_login_afterNamedDataDirectoryBeforeDefaultOne() throws IOException {
    localServer();
    signedIn();
    assertThat(find(null, null, false).token()).isEqualTo("remembered");
    assertThat(find(null, null, false).local()).isFalse();
    assertThat(find(null, null, true).token()).isEqualTo("local");
  }

  @Test
  void find_namedServer_tokenOnlyForTheServerItBelongsTo() throws IOException {
    localServer();
    signedIn();
    assertThat(find("http://far:9286/", null, false).token()).isEqualTo("remembered");
    assertThat(find("http://127.0.0.1:7", null, false).token()).isEqualTo("local");
    assertThat(find("http://evil:9286", null, false).token()).isEmpty();
    assertThat(find("far:9286", null, false).address()).hasToString("http://far:9286");
    assertThat(find("http://evil:9286", "given", false).token()).isEqualTo("given");
  }

  @Test
  void address_invalid_rejected() {
    for (String nonsense :
        new String[] {"", "http://", "file:///etc/passwd", "a b", "http://x?y"}) {
      assertThatThrownBy(() -> ServerFinder.address(nonsense)).hasMessageContaining("URL");
    }
  }

  @Test
  void save_login_onlyTheOwnerReadsIt() throws IOException {
    signedIn();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logins.file())))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(logins.file().getParent())))
        .isEqualTo("rwx------");
    logins.forget();
    assertThat(logins.find()).isEmpty();
  }
}
