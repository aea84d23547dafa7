package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.TestWeb;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in of a browser at a provider, and the resulting user. */
class OidcHttpTest {
  @TempDir private Path directory;
  private OidcFixture web;

  @BeforeEach
  void start() throws IOException {
    web = new OidcFixture(directory, Map.of());
  }

  @AfterEach
  void stop() {
    web.close();
  }

  private void restart(String... extraSetting) throws IOException {
    web.close();
    web = new OidcFixture(directory, Map.of(extraSetting[0], extraSetting[1]));
  }

  private static void assertRejected(HttpResponse<String> response, String code) {
    assertThat(response.statusCode()).as(response.body()).isBetween(400, 503);
    assertThat(response.body()).contains("\"" + code + "\"");
    assertThat(response.headers().allValues("set-cookie").toString())
        .doesNotContain("trainyard_session");
  }

  @Test
  void show_returnsTheSignInPath() throws Exception {
    JsonNode shown = TestWeb.json(web.web.get("/api/v3/oidc"));
    assertThat(shown.get("enabled").booleanValue()).isTrue();
    assertThat(shown.get("issuer").textValue()).isEqualTo(web.provider.issuer());
    assertThat(shown.get("login").textValue()).isEqualTo("http://trainyard.test/api/v3/oidc/login");
  }

  @Test
  void login_otherAddress_redirectsToThePublicUrlOnce() throws Exception {
    HttpResponse<String> response = web.web.get("/api/v3/oidc/login?to=/a");
    assertThat(response.headers().firstValue("location"))
        .hasValue("http://trainyard.test/api/v3/oidc/login?to=/a&here=1");
    assertThat(response.headers().firstValue("set-cookie")).isEmpty();
    for (String escaped : List.of("/%61pi/v3/oidc/login", "/%61pi/v3/oidc/login?to=/api/x")) {
      assertRejected(web.web.get(escaped), "error.bad-address");
    }
  }

  @Test
  void login_redirectsToTheProvider() throws Exception {
    OidcFixture.PendingSignIn pending = web.begin("");
    assertThat(pending.address().toString())
        .startsWith(web.provider.issuer() + "/auth?tenant=1&response_type=code&client_id=trainyard")
        .contains("code_challenge_method=S256", "scope=openid+profile+email", "nonce=", "state=")
        .contains("redirect_uri=http%3A%2F%2Ftrainyard.test%2Fapi%2Fv3%2Foidc%2Freturn");
    HttpResponse<String> response = web.web.get("/api/v3/oidc/login?here=1");
    assertThat(response.headers().firstValue("set-cookie").orElseThrow())
        .endsWith("; Path=/api/v3/oidc/return; Max-Age=600; HttpOnly; SameSite=Lax");
    assertRejected(web.web.get("/api/v3/oidc/login?here=1&to=//evil.org"), "error.oidc-landing");
  }

  @Test
  void signIn_newUser_createdWithoutPassword() throws Exception {
    OidcFixture.PendingSignIn pending = web.begin("&to=/%23/jobs");
    Map<String, Object> claims =
        Map.of(
            "sub", "s1",
            "preferred_username", "alice@example.org",
            "email", "alice@example.org",
            "name", "Alice Li");
    var response =
        web.returnFromProvider(pending, web.provider.authorize(pending.address(), claims));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(302);
    assertThat(response.headers().firstValue("location")).hasValue("/#/jobs");
    assertThat(response.headers().allValues("set-cookie").toString())
        .contains("trainyard_oidc=; Path=/api/v3/oidc/return; Max-Age=0");
    assertThat(web.me(response)).isEqualTo("alice");
    JsonNode user = TestWeb.json(web.asRoot("GET", "/api/v3/users/alice", ""));
    assertThat(user.get("email").textValue()).isEqualTo("alice@example.org");
    assertThat(user.get("displayName").textValue()).isEqualTo("Alice Li");
    assertThat(user.at("/identities/0/subject").textValue()).isEqualTo("s1");
    assertThat(user.at("/identities/0/issuer").textValue()).isEqualTo(web.provider.issuer());
    for (String password : List.of("", "alice", "alice@example.org")) {
      String body = "{\"user\":\"alice\",\"password\":\"" + password + "\"}";
      assertThat(web.web.send("POST", "/api/v3/sessions", body).statusCode())
          .isEqualTo(password.isEmpty() ? 400 : 401);
    }
    assertThat(web.asRoot("GET", "/api/v3/audit", "").body())
        .contains("user.create", "user.link", "(oidc)", "session.create");
  }

  @Test
  void signIn_renamedAtProvider_isSameUser() throws Exception {
    web.signIn("s1", "alice");
    assertThat(web.me(web.signIn("s1", "root"))).isEqualTo("alice");
    assertThat(web.users.list()).hasSize(2);
    assertThat(web.provider.discoveries).hasValue(1);
    assertThat(web.provider.keyFetches).hasValue(1);
  }

  @Test
  void signIn_nameOfAnotherUser_rejected() throws Exception {
    HttpResponse<String> response = web.signIn("s2", "Root");
    assertRejected(response, "error.oidc-name-taken");
    assertThat(response.body()).contains("trainyard user link Root 's2'");
    assertRejected(web.signIn("s3", "张三"), "error.oidc-no-name");
    assertRejected(web.signIn("s4", "me"), "error.oidc-no-name");
    // Not until an administrator has linked them.
    String link = "{\"subject\":\"s2\"}";
    assertThat(web.asRoot("POST", "/api/v3/users/root/identities", link).statusCode())
        .isEqualTo(201);
    assertThat(web.me(web.signIn("s2", "Root"))).isEqualTo("root");
  }

  @Test
  void subjects_comparedExactly() throws Exception {
    web.signIn("abc", "alice");
    assertThat(web.me(web.signIn("ABC", "bob"))).isEqualTo("bob");
  }

  @Test
  void groups_addedAndRemoved_localOnesStay() throws Exception {
    web.group("lab", "/research/lab", false);
    web.group("team", "team", false);
    web.group("byhand", "byhand", false);
    web.signIn("s1", "alice", "/research/lab", "unknown");
    web.teams.addMember(Actor.SYSTEM, "byhand", "alice");
    String id = web.users.load("alice").id();
    assertThat(web.teams.groupsOf(id)).containsExactly("byhand", "default", "lab");
    web.signIn("s1", "alice", "team");
    assertThat(web.teams.groupsOf(id)).containsExactly("byhand", "default", "team");
    // A missing claim means no groups.
    web.signIn(Map.of("sub", "s1", "preferred_username", "alice"));
    assertThat(web.teams.groupsOf(id)).containsExactly("byhand", "default");
    assertThat(web.asRoot("GET", "/api/v3/audit", "").body())
        .contains("group.add-member", "group.remove-member", "outside");
  }

  @Test
  void groups_byReference_unchanged() throws Exception {
    web.group("lab", "lab", false);
    web.signIn("s1", "alice", "lab");
    web.signIn(
        Map.of(
            "sub", "s1", "preferred_username", "alice", "_claim_names", Map.of("groups", "src")));
    assertThat(web.teams.groupsOf(web.users.load("alice").id())).contains("lab");
  }

  @Test
  void administrators_grantedAndRevokedByGroup() throws Exception {
    web.group("ops", "admins", true);
    web.signIn("s1", "alice", "admins");
    assertThat(web.users.load("alice").admin()).isTrue();
    web.signIn("s1", "alice");
    assertThat(web.users.load("alice").admin()).isFalse();
  }

  @Test
  void lastAdministrator_isKept() throws Exception {
    web.group("ops", "admins", true);
    web.signIn("s1", "alice", "admins");
    web.users.change(Actor.SYSTEM, "root", Optional.of(false), Optional.empty());
    assertThat(web.me(web.signIn("s1", "alice"))).isEqualTo("alice");
    assertThat(web.users.load("alice").admin()).isTrue();
  }

  @Test
  void claims_missingInTheToken_takenFromUserInfo() throws Exception {
    web.group("lab", "lab", false);
    web.provider.userInfo.putAll(
        Map.of("sub", "s1", "preferred_username", "alice", "groups", List.of("lab")));
    assertThat(web.me(web.signIn(Map.of("sub", "s1")))).isEqualTo("alice");
    assertThat(web.teams.groupsOf(web.users.load("alice").id())).contains("lab");
    web.provider.userInfo.put("sub", "somebody else");
    assertRejected(web.signIn(Map.of("sub", "s1")), "error.oidc-answer");
  }

  @Test
  void signIn_disabledUser_rejected() throws Exception {
    web.signIn("s1", "alice");
    web.users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertRejected(web.signIn("s1", "alice"), "error.oidc-disabled");
    assertThat(web.asRoot("GET", "/api/v3/audit", "").body()).contains("session.refuse");
  }

  @Test
  void signIn_newUser_rejectedOrPending() throws Exception {
    restart("oidc-create-users", "false");
    HttpResponse<String> response = web.signIn("s1", "alice");
    assertRejected(response, "error.oidc-unknown");
    assertThat(response.body()).contains("trainyard user link USER 's1'");
    restart("oidc-create-users", "approval");
    assertRejected(web.signIn("s1", "alice"), "error.oidc-waiting");
    assertRejected(web.signIn("s1", "alice"), "error.oidc-waiting");
    web.users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(false));
    assertThat(web.me(web.signIn("s1", "alice"))).isEqualTo("alice");
  }

  @Test
  void callback_inAnotherBrowser_rejected() throws Exception {
    OidcFixture.PendingSignIn pending = web.begin("");
    String query = web.provider.authorize(pending.address(), Map.of("sub", "s1"));
    assertRejected(web.web.get("/api/v3/oidc/return?" + query), "error.oidc-visit");
    assertRejected(web.returnFromProvider(web.begin(""), query), "error.oidc-visit");
    assertRejected(web.returnFromProvider(pending, "code=code1&state=x"), "error.oidc-visit");
    assertRejected(web.returnFromProvider(pending, "code=code1"), "error.oidc-visit");
    assertRejected(
        web.returnFromProvider(pending, query + "&iss=https://other.example.org"),
        "error.oidc-visit");
  }

  @Test
  void callback_twice_rejected() throws Exception {
    OidcFixture.PendingSignIn pending = web.begin("");
    Map<String, Object> claims = Map.of("sub", "s1", "preferred_username", "alice");
    String query = web.provider.authorize(pending.address(), claims);
    assertThat(web.me(web.returnFromProvider(pending, query))).isEqualTo("alice");
    HttpResponse<String> secondResponse = web.returnFromProvider(pending, query);
    assertRejected(secondResponse, "error.oidc-answer");
    assertThat(secondResponse.body()).contains("invalid_grant");
  }

  @Test
  void callback_rejectedByTheProvider_readableError() throws Exception {
    OidcFixture.PendingSignIn pending = web.begin("");
    String state = web.provider.authorize(pending.address(), Map.of()).replaceAll(".*&", "");
    String query = "error=access_denied&error_description=not%0A%3Cyou%3E&" + state;
    assertRejected(web.returnFromProvider(pending, query), "error.oidc-refused");
    var page =
        web.returnFromProvider(
            pending, query, "Accept", "text/html,*/*", "Accept-Language", "zh-CN,zh;q=0.9");
    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(page.headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");
    assertThat(page.body()).contains("拒绝了登录：not <you>");
  }

  @Test
  void keys_rotated_fetchedOncePerMinute() throws Exception {
    web.signIn("s1", "alice");
    web.provider.rotate();
    assertRejected(web.signIn("s1", "alice"), "error.oidc-proof");
    assertRejected(web.signIn("s1", "alice"), "error.oidc-proof");
    assertThat(web.provider.keyFetches).hasValue(1);
    web.clock.advance(Duration.ofMinutes(1));
    assertThat(web.me(web.signIn("s1", "alice"))).isEqualTo("alice");
    assertThat(web.provider.keyFetches).hasValue(2);
  }

  @Test
  void metadata_otherIssuerOrUnencrypted_rejected() throws Exception {
    web.provider.metadata.put("issuer", web.provider.issuer() + "/");
    assertRejected(web.web.get("/api/v3/oidc/login?here=1"), "error.oidc-answer");
    web.provider.metadata.put("issuer", web.provider.issuer());
    web.provider.metadata.put("token_endpoint", "http://id.example.org/token");
    web.clock.advance(Duration.ofSeconds(5));
    assertRejected(web.web.get("/api/v3/oidc/login?here=1"), "error.oidc-answer");
  }

  @Test
  void providerDown_passwordsStillWork() throws Exception {
    web.provider.close();
    assertRejected(web.web.get("/api/v3/oidc/login?here=1"), "error.oidc-unreachable");
    String body = "{\"user\":\"root\",\"password\":\"root-password\"}";
    assertThat(web.web.send("POST", "/api/v3/sessions", body).statusCode()).isEqualTo(201);
  }

  @Test
  void notConfigured_returnsNotFound() throws Exception {
    restart("oidc-issuer", "");
    assertThat(web.web.get("/api/v3/oidc").body()).isEqualTo("{\"enabled\":false}");
    assertRejected(web.web.get("/api/v3/oidc/login"), "error.oidc-off");
    assertRejected(web.web.get("/api/v3/oidc/return?code=a&state=b"), "error.oidc-off");
  }
}
