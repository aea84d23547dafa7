package dev.trainyard.cli.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserCommandsTest {
  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new TestShell(home);
    server.on(
        "POST",
        "/api/v3/sessions",
        201,
        "{\"token\":\"fresh\",\"user\":\"alice\",\"admin\":false,\"expires\":1}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int login() {
    return shell.password("pass").run("login", server.address().toString(), "-u", "alice");
  }

  @Test
  void login_thenCommands_useTheToken() {
    assertThat(login()).isZero();
    assertThat(server.requests().getFirst().body())
        .contains("\"password\":\"pass\"", "\"user\":\"alice\"");
    assertThat(shell.run("whoami")).isZero();
    assertThat(shell.out()).startsWith("alice at http://");
    assertThat(server.requests().getLast().token()).isEqualTo("fresh");
  }

  @Test
  void login_passwordStdin_readsFirstLine() {
    assertThat(
            shell
                .stdin("from pipe\r\nmore")
                .run("login", server.address().toString(), "-u", "alice", "--password-stdin"))
        .isZero();
    assertThat(server.requests().getFirst().body()).contains("\"password\":\"from pipe\"");
  }

  @Test
  void login_failedOrUnreachable_isNotStored() {
    server.reject("POST", "/api/v3/sessions", 401, "WRONG_CREDENTIALS", "Wrong.");
    assertThat(login()).isEqualTo(ExitCode.NOT_ALLOWED);
    assertThat(shell.run("logout")).isZero();
    assertThat(shell.err()).contains("Not signed in");
    assertThat(shell.run("login", server.address().toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("--password-stdin");
  }

  @Test
  void logout_revokesAndDeletesToken() {
    login();
    server.on("DELETE", "/api/v3/sessions/current", 204, "");
    assertThat(shell.run("logout")).isZero();
    assertThat(server.requests().getLast().requestLine())
        .isEqualTo("DELETE /api/v3/sessions/current");
    assertThat(server.requests().getLast().token()).isEqualTo("fresh");
    assertThat(shell.run("logout")).isZero();
    assertThat(shell.err()).contains("Not signed in");
  }

  @Test
  void user_addListAndChange() {
    login();
    server.on("POST", "/api/v3/users", 201, "{\"name\":\"bob\",\"password\":\"generated\"}");
    assertThat(shell.run("user", "add", "bob")).isZero();
    assertThat(shell.out()).contains("Added bob", "generated");
    assertThat(server.requests().getLast().body()).doesNotContain("password");
    server.on(
        "GET",
        "/api/v3/users",
        200,
        "{\"users\":[{\"name\":\"bob\",\"admin\":false,\"disabled\":true,\"created\":1}]}");
    assertThat(shell.run("user", "ls")).isZero();
    assertThat(shell.out()).contains("bob", "disabled");
    assertThat(shell.run("user", "ls", "--json")).isZero();
    assertThat(shell.out()).startsWith("[");
    server.on("PATCH", "/api/v3/users/bob", 200, "{}");
    assertThat(shell.run("user", "enable", "bob")).isZero();
    assertThat(server.requests().getLast().body()).isEqualTo("{\"disabled\":false}");
    assertThat(shell.run("user", "admin", "bob", "--revoke")).isZero();
    assertThat(server.requests().getLast().body()).isEqualTo("{\"admin\":false}");
    server.on("DELETE", "/api/v3/users/bob", 204, "");
    assertThat(shell.run("user", "rm", "bob")).isZero();
  }

  @Test
  void passwd_own_promptsForOldPasswordAndNewOneTwice() {
    login();
    server.on("PUT", "/api/v3/users/alice/password", 200, "{}");
    shell.password("old").password("new").password("other");
    assertThat(shell.run("user", "passwd")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("do not match");
    shell.password("old").password("new").password("new");
    assertThat(shell.run("user", "passwd")).isZero();
    assertThat(server.requests().getLast().body()).isEqualTo("{\"old\":\"old\",\"new\":\"new\"}");
    assertThat(shell.run("user", "passwd", "bob", "--generate")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(server.requests().getLast().body()).isEqualTo("{}");
  }

  @Test
  void passwd_ownGenerate_promptsForOldPasswordAndPrintsNewOne() {
    login();
    String response = "{\"name\":\"alice\",\"password\":\"generated\"}";
    server.on("PUT", "/api/v3/users/alice/password", 200, response);
    assertThat(shell.password("old").run("user", "passwd", "--generate")).isZero();
    assertThat(server.requests().getLast().body()).isEqualTo("{\"old\":\"old\"}");
    assertThat(shell.out()).contains("generated");
  }

  @Test
  void user_noSubcommand_printsHelp() {
    assertThat(shell.run("user")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.out()).contains("passwd", "disable");
    assertThat(shell.run("user", "ad")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("Did you mean add?");
  }

  @Test
  void user_linkAndUnlink() {
    login();
    String path = "/api/v3/users/bob/identities";
    server.on("POST", path, 201, "{\"identities\":[]}");
    assertThat(shell.run("user", "link", "bob", "auth0|1 2")).isZero();
    assertThat(shell.out()).contains("Linked bob");
    assertThat(server.requests().getLast().body()).isEqualTo("{\"subject\":\"auth0|1 2\"}");
    assertThat(shell.run("user", "link", "bob", "x", "--issuer", "ldap", "--json")).isZero();
    assertThat(shell.out()).startsWith("{");
    assertThat(server.requests().getLast().body()).contains("\"issuer\":\"ldap\"");
    server.on("DELETE", path, 204, "");
    assertThat(shell.run("user", "unlink", "bob")).isZero();
    assertThat(server.requests().getLast().requestLine()).isEqualTo("DELETE " + path);
    assertThat(shell.run("user", "unlink", "bob", "7", "--issuer", "https://i/a b")).isZero();
    assertThat(server.requests().getLast().requestLine())
        .isEqualTo("DELETE " + path + "?subject=7&issuer=https%3A%2F%2Fi%2Fa%20b");
    assertThat(shell.run("user", "unlink", "bob", "--issuer", "ldap")).isZero();
    assertThat(server.requests().getLast().requestLine())
        .isEqualTo("DELETE " + path + "?issuer=ldap");
  }

  @Test
  void login_oidc_redeemsCodeWithMatchingVerifier() throws Exception {
    server.on("POST", "/api/v3/oidc/sessions", 201, "{\"token\":\"t\",\"user\":\"alice\"}");
    assertThat(shell.password(" the-code ").run("login", server.address().toString(), "--oidc"))
        .isZero();
    String body = server.requests().getLast().body();
    assertThat(body).contains("\"code\":\"the-code\"");
    String verifier = body.replaceAll(".*\"verifier\":\"([^\"]+)\".*", "$1");
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.UTF_8));
    assertThat(shell.out())
        .contains(
            "/api/v3/oidc/login?terminal="
                + Base64.getUrlEncoder().withoutPadding().encodeToString(hash))
        .doesNotContain(verifier);
    assertThat(shell.run("whoami")).isZero();
    assertThat(server.requests().getLast().token()).isEqualTo("t");
  }
}
