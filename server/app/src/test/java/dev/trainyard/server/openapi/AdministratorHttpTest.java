package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what administrators see of the platform. */
class AdministratorHttpTest {
  @TempDir private static Path directory;
  private static FullServerFixture server;

  @BeforeAll
  static void start() throws IOException {
    server = new FullServerFixture(directory.resolve("data"), Map.of("host", "0.0.0.0"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode send(String method, String path, String body) throws IOException {
    return Json.MAPPER.readTree(server.send(method, path, body).body());
  }

  @Test
  void status_openAddressAndWeakIsolation_areWarnings() throws IOException {
    assertThat(send("GET", "/api/v3/status", "").findValuesAsText("code"))
        .contains("notice.no-tls", "notice.shared-files", "notice.shared-network");
  }

  @Test
  void status_problemOfANode_isAWarning() throws IOException {
    server.engine.warn(Message.of("notice.device-discovery", "detail", "nvidia-smi: exit code 9"));
    assertThat(send("GET", "/api/v3/status", "").get("warnings").toString())
        .contains("notice.device-discovery", "nvidia-smi: exit code 9");
  }

  @Test
  void home_administrator_seesNodesOpenRequestsAndWarnings() throws IOException {
    send("POST", "/api/v3/requests", "{\"kind\": \"other\", \"text\": \"more GPUs\"}");
    JsonNode platform = send("GET", "/api/v3/home", "").get("platform");
    assertThat(platform.get("nodes").asInt()).isEqualTo(1);
    assertThat(platform.get("openRequests").asInt()).isEqualTo(1);
    assertThat(platform.get("pendingSignUps").asInt()).isZero();
    assertThat(platform.get("warnings").findValuesAsText("code")).contains("notice.no-tls");
  }

  @Test
  void users_list_showsGroupsActivityAndSignIn() throws IOException {
    send("POST", "/api/v3/groups", "{\"name\": \"vision\"}");
    send("PUT", "/api/v3/groups/vision/members/admin", "{}");
    JsonNode admin = send("GET", "/api/v3/users", "").at("/users/0");
    assertThat(admin.get("groups").toString()).contains("vision");
    assertThat(admin.get("lastActive").asLong()).isPositive();
    assertThat(admin.has("lastSignIn")).as("used only the local token").isFalse();

    send("POST", "/api/v3/users", "{\"name\": \"zoe\", \"password\": \"long-enough-1\"}");
    send("POST", "/api/v3/sessions", "{\"user\": \"zoe\", \"password\": \"long-enough-1\"}");
    JsonNode users = send("GET", "/api/v3/users", "").get("users");
    assertThat(users.get(users.size() - 1).get("lastSignIn").asLong()).isPositive();
  }

  @Test
  void contact_setByAdministrator_isPublic() throws IOException {
    send("PUT", "/api/v3/contact", "{\"text\": {\"en\": \"<b>Ask us</b>\"}, \"email\": \"a@b.c\"}");
    String token = server.token;
    server.token = "";
    try {
      JsonNode contact = send("GET", "/api/v3/contact", "");
      assertThat(contact.at("/text/en").asText()).isEqualTo("<b>Ask us</b>");
      assertThat(contact.get("email").asText()).isEqualTo("a@b.c");
    } finally {
      server.token = token;
    }
  }
}
