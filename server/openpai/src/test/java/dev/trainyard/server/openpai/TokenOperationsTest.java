package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.V2;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.TestWeb;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenOperationsTest {
  private final OpenPaiFixture fixture = new OpenPaiFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static JsonNode claims(String token) throws Exception {
    String[] parts = token.split("\\.", -1);
    assertThat(parts).hasSize(3);
    return Json.MAPPER.readTree(Base64.getUrlDecoder().decode(parts[1]));
  }

  private String application(String token) throws Exception {
    HttpResponse<String> response = fixture.send(token, "POST", "/tokens/application", "{}");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(TestWeb.json(response).get("application").booleanValue()).isTrue();
    return TestWeb.json(response).get("token").textValue();
  }

  @Test
  void login_returnsTokenThatClientsCanParse() throws Exception {
    JsonNode claims = claims(fixture.signIn("alice"));
    assertThat(claims.get("username").textValue()).isEqualTo("alice");
    assertThat(claims.get("application").booleanValue()).isFalse();
    assertThat(claims.get("exp").longValue() - claims.get("iat").longValue())
        .isEqualTo(7 * 24 * 3600);
  }

  /** The claims of a token are ignored. */
  @Test
  void token_claimsChanged_identifiesItsOwner() throws Exception {
    String token = fixture.signIn("alice");
    String admin =
        Base64.getUrlEncoder()
            .encodeToString("{\"username\":\"root\"}".getBytes(StandardCharsets.UTF_8));
    String forged = "e30." + admin + token.substring(token.lastIndexOf('.'));
    assertThat(fixture.get(forged, "/tokens/check").get("username").textValue()).isEqualTo("alice");
    assertThat(fixture.get(forged, "/tokens/check").get("admin").booleanValue()).isFalse();
  }

  @Test
  void applications_mayUseJobsButNotTokens() throws Exception {
    String alice = fixture.signIn("alice");
    String application = application(alice);
    assertThat(claims(application).has("exp")).isFalse();
    assertThat(fixture.send(application, "GET", "/jobs", "").statusCode()).isEqualTo(200);
    for (String method : new String[] {"GET", "POST"}) {
      String path = method.equals("GET") ? "/tokens" : "/tokens/application";
      HttpResponse<String> rejected = fixture.send(application, method, path, "");
      assertThat(rejected.statusCode()).isEqualTo(403);
      assertThat(rejected.body()).contains("Applications are not allowed to do this operation.");
    }
    assertThat(fixture.get(application, "/tokens/check").get("application").booleanValue())
        .isTrue();
  }

  @Test
  void revoke_byTheTokenAndByTheList() throws Exception {
    String alice = fixture.signIn("alice");
    String first = application(alice);
    String second = application(alice);
    HttpResponse<String> revoked = fixture.send(alice, "DELETE", "/tokens/" + first, "");
    assertThat(revoked.body()).isEqualTo("{\"message\":\"revoke successfully\"}");
    assertThat(fixture.send(first, "GET", "/jobs", "").statusCode()).isEqualTo(401);
    JsonNode tokens = fixture.get(alice, "/tokens").get("tokens");
    assertThat(tokens).hasSize(2);
    for (JsonNode token : tokens) {
      String text = token.textValue();
      assertThat(fixture.send(text, "GET", "/jobs", "").statusCode()).isEqualTo(401);
      if (claims(text).get("application").booleanValue()) {
        assertThat(fixture.send(alice, "DELETE", "/tokens/" + text, "").statusCode())
            .isEqualTo(200);
      }
    }
    assertThat(fixture.send(second, "GET", "/jobs", "").statusCode()).isEqualTo(401);
    assertThat(fixture.send(alice, "GET", "/jobs", "").statusCode()).isEqualTo(200);
  }

  @Test
  void revoke_tokenOfOtherUser_forbidden() throws Exception {
    String alice = fixture.signIn("alice");
    String bob = fixture.signIn("bob");
    assertThat(refusal(fixture.send(bob, "DELETE", "/tokens/" + alice, "")))
        .isEqualTo("403 ForbiddenUserError");
    String listed = fixture.get(alice, "/tokens").get("tokens").get(0).textValue();
    assertThat(refusal(fixture.send(bob, "DELETE", "/tokens/" + listed, "")))
        .isEqualTo("403 ForbiddenUserError");
    assertThat(refusal(fixture.send(bob, "DELETE", "/tokens/nonsense", "")))
        .isEqualTo("401 UnauthorizedUserError");
    assertThat(fixture.web.get(V2 + "/jobs", "Authorization", "Bearer " + alice).statusCode())
        .isEqualTo(200);
  }
}
