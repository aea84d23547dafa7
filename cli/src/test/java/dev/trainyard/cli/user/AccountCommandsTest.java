package dev.trainyard.cli.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountCommandsTest {
  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell =
        new TestShell(home)
            .env("TRAINYARD_SERVER", server.address().toString())
            .env("TRAINYARD_TOKEN", "mine");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private FakeServer.ReceivedRequest lastRequest() {
    return server.requests().getLast();
  }

  @Test
  void tokensCreate_printsOnlyTheToken() {
    server.on("POST", "/api/v3/tokens", 201, "{\"id\":\"01A\",\"token\":\"s3cret\"}");
    assertThat(shell.run("tokens", "create", "ci", "--scope", "read", "--expires", "30d")).isZero();
    assertThat(shell.out()).isEqualTo("s3cret\n");
    assertThat(lastRequest().body())
        .contains("\"name\":\"ci\"", "\"scope\":\"read\"", "\"expiresInSeconds\":2592000");
    assertThat(lastRequest().token()).isEqualTo("mine");
  }

  @Test
  void tokensCreate_invalidTime_isUsageError() {
    assertThat(shell.run("tokens", "create", "ci", "--expires", "soon")).isEqualTo(ExitCode.USAGE);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void tokens_areListedAndRevoked() {
    server.on(
        "GET",
        "/api/v3/tokens",
        200,
        "{\"tokens\":[{\"id\":\"01A\",\"kind\":\"application\",\"name\":\"ci\",\"scope\":\"read\","
            + "\"created\":1,\"expires\":null,\"lastUsed\":1,\"current\":false}]}");
    server.on("DELETE", "/api/v3/users/bob/tokens/01A", 204, "");
    assertThat(shell.run("tokens")).isZero();
    assertThat(shell.out()).contains("01A", "ci", "application", "read", "never");
    assertThat(shell.run("tokens", "revoke", "01A", "-u", "bob")).isZero();
    assertThat(lastRequest().requestLine()).isEqualTo("DELETE /api/v3/users/bob/tokens/01A");
  }

  @Test
  void tokens_neverUsed_isShown() {
    server.on(
        "GET",
        "/api/v3/tokens",
        200,
        "{\"tokens\":[{\"id\":\"01A\",\"kind\":\"application\",\"name\":\"ci\",\"scope\":\"read\","
            + "\"created\":1,\"expires\":null,\"lastUsed\":null,\"current\":false}]}");
    assertThat(shell.run("tokens")).isZero();
    assertThat(shell.out()).contains("never used");
  }

  @Test
  void audit_sendsFiltersAndReadsAllPages() {
    server.on(
        "GET",
        "/api/v3/audit",
        exchange ->
            FakeServer.reply(
                exchange,
                200,
                "{\"records\":[{\"id\":\"01A\",\"time\":0,\"user\":\"root\","
                    + "\"action\":\"user.create\",\"target\":\"user:bob\",\"address\":\"10.0.0.1\","
                    + "\"before\":{},\"after\":{\"admin\":false}}]"
                    + (exchange.getRequestURI().getQuery().contains("after=")
                        ? "}"
                        : ",\"next\":\"01A\"}")));
    assertThat(shell.run("audit", "--user", "root", "--action", "user.*")).isZero();
    assertThat(shell.out()).contains("root", "user.create", "user:bob", "{\"admin\":false}");
    assertThat(server.requestLines()).hasSize(2);
    assertThat(lastRequest().path())
        .contains("user=root", "action=user.*", "after=01A", "limit=49");
    assertThat(shell.run("audit", "--json", "--since", "1d")).isZero();
    assertThat(shell.out()).startsWith("[");
    assertThat(lastRequest().path()).containsPattern("since=[0-9]{13}");
  }

  @Test
  void audit_csv_printsServerOutput() {
    server.on("GET", "/api/v3/audit", 200, "\"time\",\"user\"\r\n");
    assertThat(shell.run("audit", "--csv")).isZero();
    assertThat(shell.out()).isEqualTo("\"time\",\"user\"\r\n");
    assertThat(lastRequest().path()).contains("format=csv");
  }

  @Test
  void profile_showsOrChanges() {
    String profile = "{\"name\":\"alice\",\"email\":\"a@b\",\"sshKeys\":[]}";
    server.on("GET", "/api/v3/users/me", 200, profile);
    server.on("PATCH", "/api/v3/users/me", 200, profile);
    assertThat(shell.run("profile")).isZero();
    assertThat(shell.out()).contains("alice", "a@b");
    assertThat(shell.run("profile", "--email", "a@b", "--language", "zh")).isZero();
    assertThat(lastRequest().method()).isEqualTo("PATCH");
    assertThat(lastRequest().body()).isEqualTo("{\"email\":\"a@b\",\"language\":\"zh\"}");
  }

  @Test
  void sshKeysAdd_privateKeyIsNeverSent() throws IOException {
    Path file = Files.writeString(home.resolve("id"), "-----BEGIN OPENSSH PRIVATE KEY-----\n");
    assertThat(shell.run("ssh-keys", "add", file.toString())).isNotZero();
    assertThat(server.requests()).isEmpty();
    assertThat(shell.err()).contains(".pub");
  }

  @Test
  void sshKeysAdd_sendsTheFile() throws IOException {
    server.on("POST", "/api/v3/users/me/ssh-keys", 201, "{\"fingerprint\":\"SHA256:x\"}");
    Path file = Files.writeString(home.resolve("id.pub"), "ssh-ed25519 AAAA me\n");
    assertThat(shell.run("ssh-keys", "add", file.toString(), "--title", "laptop")).isZero();
    assertThat(lastRequest().body())
        .isEqualTo("{\"key\":\"ssh-ed25519 AAAA me\",\"title\":\"laptop\"}");
  }

  @Test
  void userImport_showsGeneratedPasswords() throws IOException {
    server.on(
        "POST",
        "/api/v3/users/import",
        201,
        "{\"dryRun\":false,\"users\":[{\"name\":\"bob\",\"password\":\"pw\"},{\"name\":\"eve\"}]}");
    Path file = Files.writeString(home.resolve("users.csv"), "name\nbob\neve\n");
    assertThat(shell.run("users", "import", file.toString())).isZero();
    assertThat(shell.out()).contains("Added 2 users", "bob", "pw").doesNotContain("eve");
    assertThat(lastRequest().body()).isEqualTo("name\nbob\neve\n");
    assertThat(shell.run("user", "import", file.toString(), "--dry-run")).isZero();
    assertThat(lastRequest().path()).endsWith("?dryRun=true");
  }

  @Test
  void signup_setAndInvite() {
    server.on(
        "PUT",
        "/api/v3/signup/settings",
        200,
        "{\"mode\":\"code\",\"text\":{\"en\":\"Ask Ann\",\"zh\":\"\"}}");
    server.on("POST", "/api/v3/signup/codes", 201, "{\"id\":\"01A\",\"code\":\"AB-CD\"}");
    assertThat(shell.run("signup", "set", "--mode", "code", "--text-en", "Ask Ann")).isZero();
    assertThat(lastRequest().body()).isEqualTo("{\"mode\":\"code\",\"text\":{\"en\":\"Ask Ann\"}}");
    assertThat(shell.out()).contains("invitation code", "Ask Ann");
    assertThat(shell.run("signup", "invite", "--uses", "3", "--group", "a", "--group", "b"))
        .isZero();
    assertThat(shell.out()).isEqualTo("AB-CD\n");
    assertThat(lastRequest().body()).isEqualTo("{\"uses\":3,\"groups\":[\"a\",\"b\"]}");
  }

  @Test
  void signup_rejectWithReason() {
    server.on("POST", "/api/v3/signup/pending/01A/refuse", 204, "");
    assertThat(shell.run("signup", "refuse", "01A", "--word", "no")).isZero();
    assertThat(lastRequest().body()).isEqualTo("{\"word\":\"no\"}");
  }

  @Test
  void requests_createAndGrant() {
    server.on("POST", "/api/v3/requests", 201, "{\"id\":\"01A\"}");
    server.on("POST", "/api/v3/requests/01A/grant", 200, "{\"id\":\"01A\"}");
    assertThat(shell.run("requests", "create", "device", "a100", "--text", "thesis")).isZero();
    assertThat(lastRequest().body())
        .isEqualTo("{\"kind\":\"device\",\"what\":\"a100\",\"text\":\"thesis\"}");
    assertThat(shell.run("requests", "grant", "01A", "--json")).isZero();
    assertThat(lastRequest().requestLine()).isEqualTo("POST /api/v3/requests/01A/grant");
    assertThat(lastRequest().body()).isEqualTo("{}");
    assertThat(shell.run("requests", "grant", "01A", "--group", "lab,class", "--word", "go"))
        .isZero();
    assertThat(lastRequest().body()).isEqualTo("{\"word\":\"go\",\"groups\":[\"lab\",\"class\"]}");
  }

  @Test
  void requests_areReadPageByPage() {
    server.on(
        "GET",
        "/api/v3/requests",
        exchange -> {
          boolean isFirstPage = !exchange.getRequestURI().getQuery().contains("after=");
          String id = isFirstPage ? "01B" : "01A";
          String next = isFirstPage ? ",\"next\":\"01B\"" : "";
          String request =
              "{\"id\":\"%s\",\"user\":\"bob\",\"kind\":\"pool\",\"what\":\"lab\",\"state\":\"open\"}"
                  .formatted(id);
          FakeServer.reply(exchange, 200, "{\"requests\":[" + request + "]" + next + "}");
        });
    assertThat(shell.run("requests", "--all", "-n", "700")).isZero();
    assertThat(shell.out()).contains("01B", "01A", "bob", "lab");
    assertThat(server.requestLines())
        .endsWith(
            "GET /api/v3/requests?all=true&limit=500",
            "GET /api/v3/requests?all=true&limit=500&after=01B");
    assertThat(shell.run("requests", "-n", "1", "--json")).isZero();
    assertThat(shell.out()).contains("01B").doesNotContain("01A");
  }
}
