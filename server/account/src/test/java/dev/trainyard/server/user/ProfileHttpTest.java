package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileHttpTest {
  private static final String ED25519 =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJPE9cV2n5lAoti6RrrhR2+qnfGFVEjR61f5" + "i3HpN23a";
  private static final String ECDSA =
      "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB"
          + "BNG12QqGX6h+ZradwKi3wPpT28Wz/d/2BKl31Aa2KwhMe54SoH7AP8VJFImBeGCo9pkvpe/r"
          + "pCRfCVx0yVIrJ88=";
  private static final String SHORT_RSA =
      "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDVJj02EuTJjMUccAN+i049GNTAr5XL4I/3"
          + "QtJDUaS5evZKasv6ua9jV5fqn0yz7je8iw5eSHH+ZO1IIrjanTwYu/Je8Lns6bzna6ZJPrFZ"
          + "5xABFcfNfT/oc7fHPW2yGGhg+YGrsapKL6pGViBsz4FgAaTm3xSIOAZGStBCbwBl4Q==";
  private static final String RSA =
      "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDJBYlXOhT/PjQjnspQ4hPGcakcEXkWU8n0"
          + "kk/waCqHh3wJLJss7NtU9KEG9qpjVbtdtSFVwU27Xszpc2NKVfTnSm4lFYdU9n6tTZFDp5S3"
          + "XoZuVWrgq7BK1unC8BmZR2r+AtAaMAGBe+FFl4U0zPfruqwTr2jbSEMNDR6Fclkdwgh3eG32"
          + "LpQgInPIbodxe8qgj3o1V5ADngYsGr0UtLEMLvSqLpqzobkhKafIzAajFIHh8vN2zbuHjzxY"
          + "3zXPOyEp3YEHv6kMjR/bNymH4AALmEs4BcTyILUf7z1Z5V+FQ/jCMyjW5qNqYK5DBfLKUnOH"
          + "vxrr0R37Ly11JBm4UV15";

  private final AccountFixture web = new AccountFixture();

  @AfterEach
  void stop() {
    web.close();
  }

  @Test
  void change_ownProfile_stored() {
    String body =
        "{\"email\":\"alice@example.org\",\"displayName\":\"爱丽丝\",\"language\":\"zh\","
            + "\"extension\":{\"a\":[1,{\"b\":null}]}}";
    assertThat(web.status(web.alice, "PATCH", "/api/v3/users/me", body)).isEqualTo(200);
    JsonNode me = web.json(web.alice, "GET", "/api/v3/users/alice", "");
    assertThat(me.get("email").textValue()).isEqualTo("alice@example.org");
    assertThat(me.get("displayName").textValue()).isEqualTo("爱丽丝");
    assertThat(me.get("language").textValue()).isEqualTo("zh");
    assertThat(me.get("extension").toString()).isEqualTo("{\"a\":[1,{\"b\":null}]}");
    // Clients store private keys there, so neither administrators nor programs can read it.
    assertThat(web.json(web.root, "GET", "/api/v3/users/alice", "").has("extension")).isFalse();
    String program =
        web.json(web.alice, "POST", "/api/v3/tokens", "{\"name\":\"t\"}").get("token").textValue();
    JsonNode view = web.json(program, "GET", "/api/v3/users/alice", "");
    assertThat(view.get("name").textValue()).isEqualTo("alice");
    assertThat(view.has("extension")).isFalse();
    web.send(web.root, "PATCH", "/api/v3/users/alice", "{\"email\":\"\"}");
    JsonNode reloadedProfile = web.json(web.alice, "GET", "/api/v3/users/me", "");
    assertThat(reloadedProfile.get("email").textValue()).isEmpty();
    assertThat(reloadedProfile.get("language").textValue()).isEqualTo("zh");
  }

  @Test
  void change_rightsAndOtherUsers_requiresAdministrator() {
    HttpResponse<String> own =
        web.send(web.alice, "PATCH", "/api/v3/users/me", "{\"admin\":true,\"email\":\"a@b\"}");
    assertThat(own.statusCode()).isEqualTo(403);
    assertThat(web.json(web.alice, "GET", "/api/v3/users/me", "").get("email").textValue())
        .isEmpty();
    assertThat(web.status(web.alice, "PATCH", "/api/v3/users/root", "{}")).isEqualTo(404);
    assertThat(web.status(web.alice, "PATCH", "/api/v3/users/nobody", "{}")).isEqualTo(404);
    assertThat(web.json(web.root, "PATCH", "/api/v3/users/alice", "{\"admin\":true}").get("admin"))
        .hasToString("true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"email\":\"nobody\"}",
        "{\"email\":\"a b@c\"}",
        "{\"language\":\"fr\"}",
        "{\"extension\":[]}",
        "{\"extension\":\"x\"}",
        "{\"displayName\":\"a\\nb\"}",
        "{\"id\":\"x\"}"
      })
  void change_malformed(String body) {
    assertThat(web.status(web.alice, "PATCH", "/api/v3/users/me", body)).isEqualTo(400);
  }

  @Test
  void change_extensionTooLarge() {
    String body = "{\"extension\":{\"a\":\"" + "x".repeat(65_536) + "\"}}";
    assertThat(web.status(web.alice, "PATCH", "/api/v3/users/me", body)).isEqualTo(400);
  }

  @Test
  void create_nameMe_rejected() {
    assertThat(web.status(web.root, "POST", "/api/v3/users", "{\"name\":\"Me\"}")).isEqualTo(400);
  }

  @Test
  void keys_addListRemove() {
    String path = "/api/v3/users/me/ssh-keys";
    JsonNode added = web.json(web.alice, "POST", path, key(ED25519 + " alice@box"));
    assertThat(added.get("title").textValue()).isEqualTo("alice@box");
    assertThat(added.get("key").textValue()).isEqualTo(ED25519);
    assertThat(added.get("fingerprint").textValue())
        .isEqualTo("SHA256:lm6zUNVF2ZlSlq0YzlU5sNdYxQtvvotqhaPpRKZCKBY");
    assertThat(web.status(web.alice, "POST", path, key(ED25519))).isEqualTo(409);
    assertThat(web.status(web.root, "POST", path, key(ED25519))).isEqualTo(201);
    assertThat(web.status(web.alice, "POST", path, key(RSA))).isEqualTo(201);
    assertThat(web.json(web.alice, "GET", path, "").get("sshKeys")).hasSize(2);
    assertThat(web.status(web.alice, "GET", "/api/v3/users/root/ssh-keys", "")).isEqualTo(404);
    String id = added.get("id").textValue();
    assertThat(web.status(web.root, "DELETE", path + "/" + id, "")).isEqualTo(404);
    assertThat(web.status(web.alice, "DELETE", path + "/" + id, "")).isEqualTo(204);
    assertThat(web.json(web.alice, "GET", "/api/v3/users/me", "").get("sshKeys")).hasSize(1);
  }

  private static String key(String text) {
    return "{\"key\":\"" + text + "\"}";
  }

  @ParameterizedTest
  @ValueSource(strings = {ED25519, ECDSA, RSA, "  " + ED25519 + "  two words \n"})
  void parse_goodKeys(String text) {
    assertThat(SshKeyText.parse(text).text()).startsWith(text.strip().substring(0, 40));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-dss AAAAB3NzaC1kc3M=",
        "command=\"id\" " + ED25519,
        ED25519 + "\n" + ED25519,
        ED25519 + "AAAA",
        "ssh-rsa" + " AAAAC3NzaC1lZDI1NTE5AAAAIA==",
        SHORT_RSA,
        "-----BEGIN OPENSSH PRIVATE KEY-----"
      })
  void parse_badKeys(String text) {
    assertThatThrownBy(() -> SshKeyText.parse(text)).isInstanceOf(AppException.class);
  }
}
