package dev.trainyard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ServerProof;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Routes;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  @TempDir Path directory;
  private Path data;

  @BeforeEach
  void chooseData() {
    data = directory.resolve("data");
  }

  @Test
  void start_firstTime_generatesPrivatePassword() throws Exception {
    try (Server server = start(Optional.empty())) {
      String password = server.generatedPassword().orElseThrow();
      assertThat(data.resolve("admin-password")).hasContent(password);
      assertThat(mode("admin-password")).isEqualTo("rw-------");
      assertThat(mode("local-token")).isEqualTo("rw-------");
      assertThat(signIn(server, password)).isEqualTo(201);
      JsonNode record = Json.MAPPER.readTree(data.resolve("server.json").toFile());
      assertThat(record.get("url").textValue()).isEqualTo(server.url().toString());
      assertThat(record.get("pid").longValue()).isEqualTo(ProcessHandle.current().pid());
      assertThat(record.get("processStart").textValue()).matches("\\d+ [0-9a-f-]{36}");
      assertThat(record.get("version").textValue()).isEqualTo(Version.CURRENT).doesNotContain("$");
    }
    assertThat(data.resolve("server.json")).doesNotExist();
  }

  @Test
  void start_givenPassword_isUsedAndNotWritten() throws Exception {
    try (Server server = start(Optional.of("chosen-password"))) {
      assertThat(server.generatedPassword()).isEmpty();
      assertThat(data.resolve("admin-password")).doesNotExist();
      assertThat(signIn(server, "chosen-password")).isEqualTo(201);
    }
  }

  @Test
  void start_passwordTooShort_rejected() {
    assertThatThrownBy(() -> start(Optional.of("short")))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("TRAINYARD_ADMIN_PASSWORD");
    start(Optional.empty()).close();
  }

  @Test
  void start_secondTime_keepsDataAndRenewsLocalToken() throws Exception {
    String password;
    try (Server server = start(Optional.empty())) {
      password = server.generatedPassword().orElseThrow();
    }
    String old = Files.readString(data.resolve("local-token")).strip();
    try (Server server = start(Optional.of("other-password"))) {
      assertThat(server.generatedPassword()).isEmpty();
      assertThat(signIn(server, password)).isEqualTo(201);
      String token = Files.readString(data.resolve("local-token")).strip();
      assertThat(get(server, "/api/v3/me", token).status()).isEqualTo(200);
      assertThat(get(server, "/api/v3/me", token).body()).contains("\"kind\":\"local\"");
      assertThat(get(server, "/api/v3/me", old).status()).isEqualTo(401);
    }
  }

  @Test
  void start_secondServer_addressOfFirstReported() {
    try (Server server = start(Optional.empty())) {
      assertThatThrownBy(() -> start(Optional.empty()))
          .isInstanceOf(AppException.class)
          .hasMessageContaining(server.url().toString());
    }
    start(Optional.empty()).close();
  }

  @Test
  void start_portTaken_rejected() {
    try (Server server = start(Optional.empty())) {
      Map<String, String> options =
          Map.of(
              "data", directory.resolve("other").toString(),
              "port", Integer.toString(server.url().getPort()));
      assertThatThrownBy(
              () ->
                  Server.start(SettingsReader.read(options, Map.of()), Optional.empty(), List.of()))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("cannot listen");
    }
  }

  @Test
  void password_changed_initialPasswordFileRemoved() throws Exception {
    try (Server server = start(Optional.empty())) {
      String token = Files.readString(data.resolve("local-token")).strip();
      HttpURLConnection request = open(server, "PUT", "/api/v3/users/admin/password");
      request.setRequestProperty("Authorization", "Bearer " + token);
      assertThat(send(request, "{\"new\":\"another-one\"}")).isEqualTo(204);
      assertThat(data.resolve("admin-password")).doesNotExist();
      assertThat(signIn(server, "another-one")).isEqualTo(201);
    }
  }

  @Test
  void healthVersionAndMetrics_areServed() throws Exception {
    try (Server server = start(Optional.empty())) {
      assertThat(get(server, "/livez", "").body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(get(server, "/healthz", "").body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(get(server, "/api/v3/version", "").body()).contains(Version.CURRENT);
      // Repeat, because a request is counted shortly after its response was sent.
      String token = Files.readString(data.resolve("local-token")).strip();
      String metrics = "";
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (!metrics.contains("route=\"/healthz\"") && System.nanoTime() < end) {
        metrics = get(server, "/metrics", token).body();
      }
      assertThat(metrics)
          .contains(
              "trainyard_http_requests_total{method=\"GET\",route=\"/healthz\",status=\"200\"} 1\n",
              "trainyard_http_request_seconds_bucket{le=\"+Inf\",method=\"GET\"",
              "# TYPE trainyard_db_commit_works histogram\n",
              "trainyard_build_info{version=\"" + Version.CURRENT + "\"} 1\n");
      assertThat(get(server, "/metrics", "").status()).as("from this host").isEqualTo(401);
    }
  }

  @Test
  void livez_provesServerIdentity() throws Exception {
    String first;
    try (Server server = start(Optional.empty())) {
      JsonNode record = Json.MAPPER.readTree(data.resolve("server.json").toFile());
      first = record.get("proofKey").textValue();
      assertThat(mode("server.json")).isEqualTo("rw-------");
      assertThat(record.get("directory").textValue())
          .isEqualTo(
              Files.getAttribute(data, "unix:dev") + ":" + Files.getAttribute(data, "unix:ino"));
      String challenge = ServerProof.random();
      String response = get(server, "/livez?challenge=" + challenge, "").body();
      String proof = Json.MAPPER.readTree(response).get("proof").textValue();
      assertThat(ServerProof.isProof(first, challenge, proof)).isTrue();
      JsonNode live = Json.MAPPER.readTree(response);
      assertThat(live.get("address").textValue()).isEqualTo(server.url().getHost());
      String addressProof = live.get("addressProof").textValue();
      assertThat(ServerProof.isProof(first, challenge, server.url().getHost(), addressProof))
          .isTrue();
      assertThat(record.get("provesAddress").booleanValue()).isTrue();
      assertThat(get(server, "/livez?challenge=x", "").body()).isEqualTo("{\"status\":\"ok\"}");
    }
    JsonNode keptProof = Json.MAPPER.readTree(data.resolve("server-proof.json").toFile());
    assertThat(keptProof.get("proofKey").textValue()).as("after it was stopped").isEqualTo(first);
    assertThat(keptProof.get("provesAddress").booleanValue()).isTrue();
    assertThat(mode("server-proof.json")).isEqualTo("rw-------");
    try (Server server = start(Optional.empty())) {
      assertThat(server.url()).isNotNull();
      JsonNode record = Json.MAPPER.readTree(data.resolve("server.json").toFile());
      assertThat(record.get("proofKey").textValue()).isNotEqualTo(first);
    }
  }

  @Test
  void start_listensOnIpv6LoopbackToo() throws Exception {
    boolean ipv6 = Files.exists(Path.of("/proc/net/if_inet6"));
    assumeTrue(ipv6 && Files.readString(Path.of("/proc/net/if_inet6")).contains(" lo"));
    try (Server server = start(Optional.empty())) {
      URI other = URI.create("http://[::1]:" + server.url().getPort() + "/livez");
      HttpURLConnection request = (HttpURLConnection) other.toURL().openConnection();
      assertThat(request.getResponseCode()).isEqualTo(200);
    }
  }

  @Test
  void healthz_dataDirectoryMissing_failsUntilItReturns() throws Exception {
    try (Server server = start(Optional.empty())) {
      Path away = directory.resolve("away");
      Files.move(data, away);
      try {
        awaitHealth(server, 503);
        assertThat(get(server, "/healthz", "").body())
            .contains("\"status\":\"failing\"", "\"failing\":\"data directory\"");
        assertThat(get(server, "/livez", "").status()).isEqualTo(200);
      } finally {
        Files.move(away, data);
      }
      awaitHealth(server, 200);
    }
  }

  @Test
  void deletedUser_filesAreNotInherited() throws Exception {
    String name = "u".repeat(240);
    Path home = data.resolve("home").resolve(name);
    try (Server server = start(Optional.empty())) {
      createUser(server, name);
      Files.createDirectories(home);
      Files.writeString(home.resolve("secret"), "private");
      assertThat(send(signedIn(server, "DELETE", "/api/v3/users/" + name), "")).isEqualTo(204);
      assertThat(home).doesNotExist();
      createUser(server, name);
      Files.createDirectory(home);
    }
    try (Server _ = start(Optional.empty())) {
      assertThat(home).isEmptyDirectory();
      try (var homes = Files.list(home.getParent())) {
        assertThat(homes.filter(other -> !other.equals(home)))
            .singleElement()
            .satisfies(
                other -> {
                  assertThat(other.getFileName().toString()).startsWith("~");
                  assertThat(other.resolve("secret")).hasContent("private");
                });
      }
    }
  }

  private void createUser(Server server, String name) throws Exception {
    String body = "{\"name\":\"" + name + "\",\"password\":\"chosen-password\"}";
    assertThat(send(signedIn(server, "POST", "/api/v3/users"), body)).isEqualTo(201);
  }

  private HttpURLConnection signedIn(Server server, String method, String path) throws Exception {
    HttpURLConnection request = open(server, method, path);
    String token = Files.readString(data.resolve("local-token")).strip();
    request.setRequestProperty("Authorization", "Bearer " + token);
    return request;
  }

  /**
   * Waits until the health check has a status, because the server caches the result for one second.
   */
  private static void awaitHealth(Server server, int status) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (get(server, "/healthz", "").status() != status) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }

  @Test
  void features_haveRoutesAndAreClosedBeforeTheDatabase() throws Exception {
    List<String> happened = new ArrayList<>();
    Feature.Factory factory =
        foundation ->
            new Feature() {
              @Override
              public void addTo(Routes routes) {
                routes.add("GET", "/feature", Access.USER, request -> happened);
              }

              @Override
              public void start() {
                happened.add("started");
              }

              @Override
              public void close() {
                happened.add("closed with " + foundation.users().list().size() + " user");
              }
            };
    try (Server server = start(Optional.empty(), factory)) {
      String token = Files.readString(data.resolve("local-token")).strip();
      assertThat(get(server, "/feature", token).body()).isEqualTo("[\"started\"]");
    }
    assertThat(happened).containsExactly("started", "closed with 1 user");
  }

  private Server start(Optional<String> password, Feature.Factory... features) {
    Map<String, String> options = Map.of("data", data.toString(), "port", "0");
    return Server.start(SettingsReader.read(options, Map.of()), password, List.of(features));
  }

  private String mode(String name) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(name)));
  }

  private static int signIn(Server server, String password) throws Exception {
    HttpURLConnection request = open(server, "POST", "/api/v3/sessions");
    return send(request, "{\"user\":\"admin\",\"password\":\"" + password + "\"}");
  }

  private static int send(HttpURLConnection request, String body) throws Exception {
    request.setDoOutput(true);
    request.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    return request.getResponseCode();
  }

  private record Answer(int status, String body) {}

  private static Answer get(Server server, String path, String token) throws Exception {
    HttpURLConnection request = open(server, "GET", path);
    request.setRequestProperty("Authorization", "Bearer " + token);
    int status = request.getResponseCode();
    byte[] body =
        status < 400
            ? request.getInputStream().readAllBytes()
            : request.getErrorStream().readAllBytes();
    return new Answer(status, new String(body, StandardCharsets.UTF_8));
  }

  private static HttpURLConnection open(Server server, String method, String path)
      throws Exception {
    URI url = server.url().resolve(path);
    HttpURLConnection request = (HttpURLConnection) url.toURL().openConnection();
    request.setRequestMethod(method);
    request.setReadTimeout(20_000);
    return request;
  }
}
