package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.audit.Actor;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenHttpTest {
  private static final String TOKENS = "/api/v3/tokens";

  private final AccountFixture web = new AccountFixture();

  @AfterEach
  void stop() {
    web.close();
  }

  private JsonNode create(String body) {
    return web.json(web.alice, "POST", TOKENS, body);
  }

  @Test
  void create_shownOnceAndListed() {
    JsonNode created = create("{\"name\":\"laptop\",\"scope\":\"read\"}");
    assertThat(created.get("token").textValue()).hasSizeGreaterThan(40);
    JsonNode list = web.json(web.alice, "GET", TOKENS, "").get("tokens");
    assertThat(list).hasSize(2);
    assertThat(list.get(0).get("name").textValue()).isEqualTo("laptop");
    assertThat(list.get(0).get("scope").textValue()).isEqualTo("read");
    assertThat(list.get(0).has("token")).isFalse();
    assertThat(list.get(1).get("kind").textValue()).isEqualTo("session");
    assertThat(list.get(1).get("current").booleanValue()).isTrue();
  }

  @Test
  void scope_isEnforced() {
    String read = create("{\"name\":\"r\",\"scope\":\"read\"}").get("token").textValue();
    String submit = create("{\"name\":\"s\",\"scope\":\"submit\"}").get("token").textValue();
    String all = create("{\"name\":\"a\"}").get("token").textValue();
    assertThat(web.status(read, "GET", "/api/v3/me", "")).isEqualTo(200);
    assertThat(web.status(read, "POST", "/job", "")).isEqualTo(403);
    assertThat(web.status(submit, "POST", "/job", "")).isEqualTo(200);
    assertThat(web.status(submit, "POST", "/other", "")).isEqualTo(403);
    assertThat(web.status(all, "POST", "/other", "")).isEqualTo(200);
  }

  @Test
  void application_cannotManageTokensOrTheAccount() {
    String all = create("{\"name\":\"a\"}").get("token").textValue();
    assertThat(web.status(all, "POST", TOKENS, "{\"name\":\"b\"}")).isEqualTo(403);
    assertThat(web.status(all, "GET", TOKENS, "")).isEqualTo(403);
    assertThat(web.status(all, "PATCH", "/api/v3/users/me", "{}")).isEqualTo(403);
    assertThat(web.status(all, "PUT", "/api/v3/users/me/password", "{}")).isEqualTo(403);
    assertThat(web.status(all, "POST", "/api/v3/users/me/ssh-keys", "{}")).isEqualTo(403);
  }

  @Test
  void revoke_immediateAndOnlyOwnTokens() {
    JsonNode created = create("{\"name\":\"laptop\"}");
    String token = created.get("token").textValue();
    String id = created.get("id").textValue();
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(200);
    assertThat(web.status(web.root, "DELETE", TOKENS + "/" + id, "")).isEqualTo(404);
    assertThat(web.status(web.alice, "DELETE", TOKENS + "/" + id, "")).isEqualTo(204);
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(401);
    assertThat(web.status(web.alice, "DELETE", TOKENS + "/" + id, "")).isEqualTo(404);
  }

  @Test
  void revoke_administrator_tokensOfOthers() {
    String id = create("{\"name\":\"laptop\"}").get("id").textValue();
    String path = "/api/v3/users/alice/tokens";
    assertThat(web.json(web.root, "GET", path, "").get("tokens")).hasSize(2);
    assertThat(web.status(web.alice, "GET", path, "")).isEqualTo(403);
    assertThat(web.status(web.root, "DELETE", path + "/" + id, "")).isEqualTo(204);
    assertThat(web.json(web.root, "GET", path, "").get("tokens")).hasSize(1);
    JsonNode record = web.json(web.root, "GET", "/api/v3/audit?action=token.revoke", "");
    assertThat(record.get("records").get(0).get("before").get("name").textValue())
        .isEqualTo("laptop");
  }

  @Test
  void expiry_notExtendedByUse() {
    String token = create("{\"name\":\"x\",\"expiresInSeconds\":3600}").get("token").textValue();
    web.clock.advance(Duration.ofMinutes(59));
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(200);
    web.clock.advance(Duration.ofMinutes(2));
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(401);
  }

  @Test
  void password_keepsApplicationTokensUnlessRequested() {
    String token = create("{\"name\":\"x\"}").get("token").textValue();
    String other = web.signIn("alice");
    String path = "/api/v3/users/me/password";
    String body = "{\"old\":\"alice-password\",\"new\":\"second-password\"}";
    assertThat(web.status(web.alice, "PUT", path, body)).isEqualTo(204);
    assertThat(web.status(other, "GET", "/api/v3/me", "")).isEqualTo(401);
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(200);
    body = "{\"old\":\"second-password\",\"new\":\"third-password\",\"revokeTokens\":true}";
    assertThat(web.status(web.alice, "PUT", path, body)).isEqualTo(204);
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(401);
    assertThat(web.status(web.alice, "GET", "/api/v3/me", "")).isEqualTo(200);
  }

  @Test
  void disabled_allTokensRejected() {
    String token = create("{\"name\":\"x\"}").get("token").textValue();
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(200);
    web.users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertThat(web.status(token, "GET", "/api/v3/me", "")).isEqualTo(401);
    assertThat(web.status(web.alice, "GET", "/api/v3/me", "")).isEqualTo(401);
  }

  @Test
  void create_tooMany() {
    for (int i = 0; i < 100; i++) {
      create("{\"name\":\"x\"}");
    }
    assertThat(web.status(web.alice, "POST", TOKENS, "{\"name\":\"x\"}")).isEqualTo(409);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\":\" \"}",
        "{\"name\":\"a\",\"scope\":\"root\"}",
        "{\"name\":\"a\",\"expiresInSeconds\":0}",
        "{\"name\":\"a\",\"expiresInSeconds\":1.5}",
        "{\"name\":\"a\",\"expiresInSeconds\":99999999999999999999}",
        "{\"name\":\"a\\u0007\"}"
      })
  void create_malformed(String body) {
    assertThat(web.status(web.alice, "POST", TOKENS, body)).isEqualTo(400);
  }
}
