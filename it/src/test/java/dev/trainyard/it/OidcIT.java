package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signs in with a real OpenID Connect provider and a simulated browser. Each test uses separate
 * users.
 */
class OidcIT {
  private static final String PUBLIC = "http://trainyard.test";
  private static final String RETURN = PUBLIC + "/api/v3/oidc/return";
  private static final String LOGIN = PUBLIC + "/api/v3/oidc/login?to=/api/v3/me";
  private static final String PASSWORD = "chosen-admin-password";
  private static final Pattern CODE = Pattern.compile("requested it: (\\S+)");

  @TempDir private static Path directory;
  private static Process provider;
  private static String issuer;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    replaceUsers("{}");
    provider =
        NpmPackage.install("oidc", "oidc-provider")
            .command("node", "provider.js", RETURN, directory.resolve("people.json").toString())
            .redirectError(directory.resolve("provider.err").toFile())
            .start();
    BufferedReader out = provider.inputReader(StandardCharsets.UTF_8);
    issuer = out.readLine();
    assertThat(issuer).as(Files.readString(directory.resolve("provider.err"))).isNotNull();
    Thread.ofVirtual().start(() -> out.lines().forEach(line -> {}));
    trainyard = start("data", issuer);
  }

  private static Trainyard start(String name, String issuer, String... extraOptions)
      throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "a secret: with signs&\n");
    List<String> options =
        new java.util.ArrayList<>(
            List.of("--public-url", PUBLIC, "--oidc-issuer", issuer, "--oidc-client-id"));
    options.addAll(List.of("trainyard", "--oidc-client-secret-file", secret.toString()));
    options.addAll(List.of("--oidc-scopes", "openid profile email groups"));
    options.addAll(List.of(extraOptions));
    return Trainyard.start(
        directory.resolve(name),
        Map.of("TRAINYARD_ADMIN_PASSWORD", PASSWORD),
        options.toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    if (trainyard != null) {
      trainyard.close();
    }
    if (provider != null) {
      provider.destroyForcibly();
    }
  }

  /** Replaces the users of the provider with their claims. */
  private static void replaceUsers(String json) throws IOException {
    Path next = Files.writeString(directory.resolve("people.next"), json);
    Files.move(
        next,
        directory.resolve("people.json"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  /** Signs in with a new browser. */
  private static HttpResponse<String> signIn(String login) throws Exception {
    try (Browser browser = new Browser(PUBLIC, trainyard.url())) {
      return browser.signIn(LOGIN, login, Optional.empty());
    }
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return Trainyard.JSON.readTree(response.body());
  }

  private static JsonNode admin(String method, String path, String body) throws Exception {
    HttpResponse<String> response = trainyard.request(method, path, body);
    assertThat(response.statusCode()).as(response.body()).isLessThan(300);
    return response.body().isEmpty() ? Trainyard.JSON.nullNode() : json(response);
  }

  @Test
  void signIn_repeated_updatesGroups() throws Exception {
    String group = "{\"name\":\"%s\",\"externalName\":\"%s\",\"admin\":%s}";
    admin("POST", "/api/v3/groups", group.formatted("lab", "/research/lab", false));
    admin("POST", "/api/v3/groups", group.formatted("ops", "operators", true));
    replaceUsers(
        "{\"alice-id\":{\"preferred_username\":\"alice\",\"email\":\"alice@example.org\","
            + "\"name\":\"Alice 李\",\"groups\":[\"/research/lab\",\"operators\"]}}");
    JsonNode me = json(signIn("alice-id"));
    assertThat(me.path("user").asText()).isEqualTo("alice");
    assertThat(me.path("admin").asBoolean()).isTrue();
    JsonNode user = admin("GET", "/api/v3/users/alice", "");
    assertThat(user.path("email").asText()).isEqualTo("alice@example.org");
    assertThat(user.path("displayName").asText()).isEqualTo("Alice 李");
    assertThat(user.at("/identities/0/subject").asText()).isEqualTo("alice-id");
    assertThat(admin("GET", "/api/v3/groups/lab/members", "").toString()).contains("alice");

    replaceUsers("{\"alice-id\":{\"preferred_username\":\"renamed\",\"groups\":[]}}");
    JsonNode secondSession = json(signIn("alice-id"));
    assertThat(secondSession.path("user").asText()).isEqualTo("alice");
    assertThat(secondSession.path("admin").asBoolean()).isFalse();
    assertThat(admin("GET", "/api/v3/groups/lab/members", "").toString()).doesNotContain("alice");

    admin("PATCH", "/api/v3/users/alice", "{\"disabled\":true}");
    assertThat(signIn("alice-id").body()).contains("error.oidc-disabled");
  }

  @Test
  void nameOfTheAdministrator_requiresLink() throws Exception {
    replaceUsers(
        "{\"mallory-id\":{\"preferred_username\":\"admin\",\"email\":\"admin@example.org\"}}");
    HttpResponse<String> rejected = signIn("mallory-id");
    assertThat(rejected.statusCode()).isEqualTo(403);
    assertThat(rejected.body())
        .contains("error.oidc-name-taken", "trainyard user link admin 'mallory-id'");
    assertThat(trainyard.run("user", "add", "mallory").exitCode()).isZero();
    assertThat(trainyard.run("user", "link", "mallory", "mallory-id").exitCode()).isZero();
    assertThat(json(signIn("mallory-id")).path("user").asText()).isEqualTo("mallory");
    assertThat(trainyard.run("user", "unlink", "mallory", "mallory-id").exitCode()).isZero();
    assertThat(signIn("mallory-id").body()).contains("error.oidc-name-taken");
  }

  @Test
  void callback_inAnotherBrowserOrTwice_isRejected() throws Exception {
    replaceUsers("{\"bob-id\":{\"preferred_username\":\"bob\"}}");
    try (Browser browser = new Browser(PUBLIC, trainyard.url());
        Browser other = new Browser(PUBLIC, trainyard.url());
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> last = browser.signIn(LOGIN, "bob-id", Optional.of(RETURN));
      String back = last.headers().firstValue("location").orElseThrow();
      assertThat(other.open(back).body()).contains("error.oidc-visit");
      String wrongState = back.replaceAll("state=[^&]+", "state=x");
      assertThat(browser.open(wrongState).body()).contains("error.oidc-visit");
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(back.replace(PUBLIC, trainyard.url())))
              .header("Cookie", "trainyard_oidc=" + browser.cookie("trainyard_oidc").orElseThrow())
              .build();
      HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(first.statusCode()).as(first.body()).isEqualTo(302);
      HttpResponse<String> second = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(second.body()).contains("error.oidc-answer", "invalid_grant");
    }
  }

  @Test
  void signIn_rejectedByProvider_isReported() throws Exception {
    try (Browser browser = new Browser(PUBLIC, trainyard.url())) {
      HttpResponse<String> form = browser.open(LOGIN);
      Matcher cancel = Pattern.compile("href=\"([^\"]*/abort)\"").matcher(form.body());
      assertThat(cancel.find()).as(form.body()).isTrue();
      assertThat(browser.open(form.uri().resolve(cancel.group(1)).toString()).body())
          .contains("error.oidc-refused", "End-User aborted interaction");
    }
  }

  @Test
  void terminal_signsInWithAnotherHostsBrowser() throws Exception {
    replaceUsers("{\"carol-id\":{\"preferred_username\":\"carol@example.org\"}}");
    Path config = directory.resolve("config");
    ProcessBuilder command =
        new ProcessBuilder(
            Trainyard.commandLine("login", trainyard.url(), "--oidc", "--password-stdin"));
    command.environment().put("XDG_CONFIG_HOME", config.toString());
    command.environment().put("LC_ALL", "C.UTF-8");
    Process terminal = command.start();
    BufferedReader out = terminal.inputReader(StandardCharsets.UTF_8);
    assertThat(out.readLine()).startsWith("Open this URL");
    String address = out.readLine().strip();
    try (Browser browser = new Browser(PUBLIC, trainyard.url());
        var in = terminal.outputWriter(StandardCharsets.UTF_8)) {
      HttpResponse<String> page = browser.signIn(address, "carol-id", Optional.empty());
      Matcher code = CODE.matcher(page.body());
      assertThat(code.find()).as(page.body()).isTrue();
      assertThat(browser.cookie("trainyard_session")).isEmpty();
      in.write(code.group(1) + "\n");
    }
    assertThat(terminal.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(terminal.exitValue()).isZero();
    Trainyard.Result who =
        Trainyard.command(
            Map.of("XDG_CONFIG_HOME", config.toString()),
            "",
            "whoami",
            "--json",
            "--server",
            trainyard.url());
    assertThat(who.json().path("user").asText()).as(who.toString()).isEqualTo("carol");
  }

  @Test
  void providerUnavailable_passwordsStillWork() throws Exception {
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    try (Trainyard alone = start("alone", "http://127.0.0.1:" + closedPort);
        Browser browser = new Browser(PUBLIC, alone.url())) {
      HttpResponse<String> rejected = browser.open(LOGIN);
      assertThat(rejected.statusCode()).isEqualTo(503);
      assertThat(rejected.body()).contains("error.oidc-unreachable");
      String body = "{\"user\":\"admin\",\"password\":\"" + PASSWORD + "\"}";
      assertThat(alone.request("POST", "/api/v3/sessions", body, "").statusCode()).isEqualTo(201);
    }
  }
}
