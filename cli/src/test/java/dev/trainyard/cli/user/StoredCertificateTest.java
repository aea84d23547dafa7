package dev.trainyard.cli.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import dev.trainyard.cli.api.Login;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of one command that later commands and hints use. */
class StoredCertificateTest {
  @TempDir private Path home;

  @Test
  void laterCommands_useCertificateOfSignIn() throws IOException {
    try (FakeServer server = new FakeServer()) {
      Path certificate = home.resolve("missing.pem");
      Login login = new Login(server.address(), "u", "t", Optional.of(certificate));
      Login.Store.of(Map.of(), home).save(login);
      assertThat(Login.Store.of(Map.of(), home).find()).contains(login);
      TestShell shell = new TestShell(home);
      assertThat(shell.run("ls")).isNotZero();
      assertThat(shell.err()).contains(certificate.toString());
    }
  }

  @Test
  void hint_containsTheOptionsInUse() throws IOException {
    try (FakeServer server = new FakeServer()) {
      server.on("GET", "/api/v3/me", 200, "{\"user\":\"u\",\"admin\":true}");
      server.on("GET", "/api/v3/jobs", 200, "{\"jobs\":[]}");
      TestShell shell = new TestShell(home);
      String address = server.address().toString();
      assertThat(shell.run("ls", "--server", address, "--token", "t")).isZero();
      assertThat(shell.err())
          .contains("trainyard --server " + address + " run ")
          .doesNotContain(" t ");
    }
  }
}
