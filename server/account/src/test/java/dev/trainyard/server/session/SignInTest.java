package dev.trainyard.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.CsrfProtection;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.ProfileService;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserRoutes;
import dev.trainyard.server.user.UserService;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes of sessions and users, over HTTP. */
class SignInTest {
  private final MutableClock clock = new MutableClock();
  private final Db db = TestDatabase.SQLITE.create();
  private final TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
  private final UserService users =
      new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  private final List<User> changed = new ArrayList<>();
  private TestWeb web;
  private String admin;

  @BeforeEach
  void start() throws Exception {
    web =
        new TestWeb(
            WebConfig.local(0),
            routes -> {
              new SessionRoutes(users, tokens, _ -> false).addTo(routes);
              new UserRoutes(
                      users, new ProfileService(db, clock), tokens, changed::add, java.util.Map::of)
                  .addTo(routes);
            },
            tokens);
    users.create("root", "root-password", true);
    users.create("alice", "alice-password", false);
    admin = bearer("root", "root-password");
  }

  @AfterEach
  void stop() {
    web.close();
    db.close();
  }

  @Test
  void signIn_returnsTokenAndCookies() throws Exception {
    HttpResponse<String> response = signIn("alice", "alice-password");
    assertThat(response.statusCode()).isEqualTo(201);
    JsonNode body = TestWeb.json(response);
    assertThat(body.get("user").textValue()).isEqualTo("alice");
    assertThat(body.get("admin").booleanValue()).isFalse();
    assertThat(body.get("expires").longValue())
        .isEqualTo(clock.instant().plus(Duration.ofDays(7)).toEpochMilli());
    String token = body.get("token").textValue();
    List<String> cookies = response.headers().allValues("set-cookie");
    assertThat(cookies)
        .containsExactly(
            "trainyard_session=" + token + "; Path=/; Max-Age=604800; SameSite=Lax; HttpOnly",
            "trainyard_csrf="
                + CsrfProtection.csrfValue(token)
                + "; Path=/; Max-Age=604800; SameSite=Lax");
    assertThat(web.get("/api/v3/me", "Cookie", "a=b; trainyard_session=" + token).statusCode())
        .isEqualTo(200);
  }

  @Test
  void signIn_wrongNameOrPassword_sameError() throws Exception {
    HttpResponse<String> unknown = signIn("nobody", "x");
    HttpResponse<String> wrong = signIn("alice", "x");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).isEqualTo(unknown.body()).contains("WRONG_CREDENTIALS");
  }

  @Test
  void signIn_tooManyFailures_isThrottled() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(signIn("alice", "x").statusCode()).isEqualTo(401);
    }
    HttpResponse<String> response = signIn("alice", "alice-password");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("retry-after")).hasValue("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"user\":1,\"password\":\"x\"}", "{\"user\":\"a\"}", "[]"})
  void signIn_malformed(String body) throws Exception {
    assertThat(web.send("POST", "/api/v3/sessions", body).statusCode()).isEqualTo(400);
  }

  @Test
  void me_returnsTheToken() throws Exception {
    JsonNode me = TestWeb.json(web.get("/api/v3/me", "Authorization", admin));
    assertThat(me.get("user").textValue()).isEqualTo("root");
    assertThat(me.get("admin").booleanValue()).isTrue();
    assertThat(me.get("token").get("kind").textValue()).isEqualTo("session");
    assertThat(me.get("token").get("created").longValue()).isEqualTo(clock.millis());
  }

  @Test
  void signOut_endsThisSessionOnly() throws Exception {
    String other = bearer("root", "root-password");
    HttpResponse<String> response = send("DELETE", "/api/v3/sessions/current", "", admin);
    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(response.headers().allValues("set-cookie")).allMatch(c -> c.contains("Max-Age=0"));
    assertThat(web.get("/api/v3/me", "Authorization", admin).statusCode()).isEqualTo(401);
    assertThat(web.get("/api/v3/me", "Authorization", other).statusCode()).isEqualTo(200);
  }

  @Test
  void users_createListChangeDelete() throws Exception {
    JsonNode created = TestWeb.json(send("POST", "/api/v3/users", "{\"name\":\"bob\"}", admin));
    String password = created.get("password").textValue();
    String bob = bearer("bob", password);
    JsonNode list = TestWeb.json(send("GET", "/api/v3/users", "", admin));
    assertThat(list.get("users").findValuesAsText("name")).containsExactly("alice", "bob", "root");
    assertThat(list.toString()).doesNotContain("argon2", "password");
    HttpResponse<String> disabled =
        send("PATCH", "/api/v3/users/bob", "{\"disabled\":true}", admin);
    assertThat(TestWeb.json(disabled).get("disabled").booleanValue()).isTrue();
    assertThat(send("GET", "/api/v3/me", "", bob).statusCode()).isEqualTo(401);
    assertThat(send("DELETE", "/api/v3/users/bob", "", admin).statusCode()).isEqualTo(204);
    assertThat(send("GET", "/api/v3/users/bob", "", admin).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a~b", "../x", ".", "..", "", "a b", "\uD83D\uDE00", "a/b", "a\\u0000"})
  void users_invalidNames_rejected(String name) throws Exception {
    String body = "{\"name\":\"" + name + "\",\"password\":\"12345678\"}";
    assertThat(send("POST", "/api/v3/users", body, admin).statusCode()).isEqualTo(400);
  }

  @Test
  void users_reportsAllProblems() throws Exception {
    HttpResponse<String> response =
        send("POST", "/api/v3/users", "{\"name\":\"~\",\"password\":\"1\",\"x\":1}", admin);
    assertThat(TestWeb.json(response).get("problems").findValuesAsText("path"))
        .containsExactly("name", "password", "x");
  }

  @Test
  void users_visibilityForOthers() throws Exception {
    String alice = bearer("alice", "alice-password");
    assertThat(send("GET", "/api/v3/users/alice", "", alice).statusCode()).isEqualTo(200);
    String hidden = send("GET", "/api/v3/users/root", "", alice).body();
    String missing = send("GET", "/api/v3/users/nope", "", alice).body();
    assertThat(hidden).isEqualTo(missing.replace("nope", "root")).contains("NOT_FOUND");
    for (String method : List.of("PATCH", "DELETE")) {
      assertThat(send(method, "/api/v3/users/alice", "{\"admin\":true}", alice).statusCode())
          .isEqualTo(403);
    }
    assertThat(send("GET", "/api/v3/users", "", alice).statusCode()).isEqualTo(403);
    assertThat(
            send("PUT", "/api/v3/users/root/password", "{\"new\":\"12345678\"}", alice)
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void password_own_requiresTheOldAndEndsOtherSessions() throws Exception {
    String alice = bearer("alice", "alice-password");
    String elsewhere = bearer("alice", "alice-password");
    String path = "/api/v3/users/alice/password";
    assertThat(send("PUT", path, "{\"new\":\"new-password\"}", alice).statusCode()).isEqualTo(400);
    assertThat(send("PUT", path, "{\"old\":\"x\",\"new\":\"new-password\"}", alice).statusCode())
        .isEqualTo(403);
    assertThat(
            send("PUT", path, "{\"old\":\"alice-password\",\"new\":\"short\"}", alice).statusCode())
        .isEqualTo(400);
    String good = "{\"old\":\"alice-password\",\"new\":\"new-password\"}";
    assertThat(send("PUT", path, good, alice).statusCode()).isEqualTo(204);
    assertThat(changed).extracting(User::name).containsExactly("alice");
    assertThat(send("GET", "/api/v3/me", "", alice).statusCode()).isEqualTo(200);
    assertThat(send("GET", "/api/v3/me", "", elsewhere).statusCode()).isEqualTo(401);
    assertThat(signIn("alice", "new-password").statusCode()).isEqualTo(201);
  }

  @Test
  void password_ownWithoutNew_isGeneratedOnlyWithTheOld() throws Exception {
    String alice = bearer("alice", "alice-password");
    String path = "/api/v3/users/alice/password";
    assertThat(send("PUT", path, "{}", alice).statusCode()).isEqualTo(400);
    assertThat(send("PUT", path, "{\"old\":\"x\"}", alice).statusCode()).isEqualTo(403);
    HttpResponse<String> response = send("PUT", path, "{\"old\":\"alice-password\"}", alice);
    String generated = TestWeb.json(response).get("password").textValue();
    assertThat(signIn("alice", generated).statusCode()).isEqualTo(201);
  }

  @Test
  void password_localTokenWithoutNew_isGenerated() throws Exception {
    String local = "Bearer " + tokens.issueLocal(users.load("root").id()).secret();
    HttpResponse<String> response = send("PUT", "/api/v3/users/root/password", "{}", local);
    String generated = TestWeb.json(response).get("password").textValue();
    assertThat(signIn("root", generated).statusCode()).isEqualTo(201);
  }

  @Test
  void password_resetByAnAdministrator() throws Exception {
    String alice = bearer("alice", "alice-password");
    HttpResponse<String> response = send("PUT", "/api/v3/users/alice/password", "{}", admin);
    String generated = TestWeb.json(response).get("password").textValue();
    assertThat(send("GET", "/api/v3/me", "", alice).statusCode()).isEqualTo(401);
    assertThat(signIn("alice", generated).statusCode()).isEqualTo(201);
    assertThat(send("PUT", "/api/v3/users/root/password", "{}", admin).statusCode()).isEqualTo(400);
  }

  @Test
  void password_localToken_doesNotRequireTheOld() throws Exception {
    String local = "Bearer " + tokens.issueLocal(users.load("root").id()).secret();
    String body = "{\"new\":\"new-password\"}";
    assertThat(send("PUT", "/api/v3/users/root/password", body, local).statusCode()).isEqualTo(204);
    assertThat(send("GET", "/api/v3/me", "", local).statusCode()).isEqualTo(200);
    assertThat(send("GET", "/api/v3/me", "", admin).statusCode()).isEqualTo(401);
  }

  private HttpResponse<String> signIn(String user, String password) throws Exception {
    String body = "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(user, password);
    return web.send("POST", "/api/v3/sessions", body);
  }

  private String bearer(String user, String password) throws Exception {
    return "Bearer " + TestWeb.json(signIn(user, password)).get("token").textValue();
  }

  private HttpResponse<String> send(String method, String path, String body, String bearer)
      throws Exception {
    return web.send(method, path, body, "Authorization", bearer);
  }
}
