package dev.trainyard.server.signup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.VirtualCluster;
import dev.trainyard.server.user.AccountFixture;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignUpHttpTest {
  private static final String PATH = "/api/v3/signup";

  private final AccountFixture web = new AccountFixture();

  @AfterEach
  void stop() {
    web.close();
  }

  private void setSignUpMode(String mode) {
    assertThat(web.status(web.root, "PUT", PATH + "/settings", "{\"mode\":\"" + mode + "\"}"))
        .isEqualTo(200);
  }

  private HttpResponse<String> signUp(String name, String extraFields) {
    return web.send(
        "",
        "POST",
        PATH,
        "{\"name\":\"" + name + "\",\"password\":\"a-password\"" + extraFields + "}");
  }

  private HttpResponse<String> signIn(String name, String password) {
    return web.send(
        "",
        "POST",
        "/api/v3/sessions",
        "{\"user\":\"" + name + "\",\"password\":\"" + password + "\"}");
  }

  private String code(String body) {
    return web.json(web.root, "POST", PATH + "/codes", body).get("code").textValue();
  }

  @Test
  void closed_isTheDefault() {
    assertThat(web.json("", "GET", PATH, "").get("mode").textValue()).isEqualTo("closed");
    assertThat(signUp("bob", "").statusCode()).isEqualTo(403);
    assertThat(signUp("alice", "").body()).isEqualTo(signUp("bob", "").body());
  }

  @Test
  void settings_omittedFields_unchanged() {
    String path = PATH + "/settings";
    web.send(web.root, "PUT", path, "{\"text\":{\"en\":\"Ask Ann\",\"zh\":\"请问安\"}}");
    setSignUpMode("code");
    JsonNode shown = web.json("", "GET", PATH, "");
    assertThat(shown.get("mode").textValue()).isEqualTo("code");
    assertThat(shown.get("text").get("zh").textValue()).isEqualTo("请问安");
    assertThat(web.status(web.alice, "PUT", path, "{\"mode\":\"open\"}")).isEqualTo(403);
    assertThat(web.status(web.root, "PUT", path, "{\"mode\":\"wide\"}")).isEqualTo(400);
    assertThat(web.status(web.root, "PUT", path, "{\"text\":{\"fr\":\"x\"}}")).isEqualTo(400);
  }

  @Test
  void open_createsOrdinaryUsers() {
    setSignUpMode("open");
    HttpResponse<String> response = signUp("bob", ",\"email\":\"bob@example.org\"");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.body()).contains("active");
    assertThat(signIn("bob", "a-password").statusCode()).isEqualTo(201);
    assertThat(web.users.find("bob").orElseThrow().admin()).isFalse();
    assertThat(signUp("BOB", "").statusCode()).isEqualTo(409);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\":\"a b\",\"password\":\"a-password\"}",
        "{\"name\":\"me\",\"password\":\"a-password\"}",
        "{\"name\":\"bob\",\"password\":\"short\"}",
        "{\"name\":\"bob\",\"password\":\"a-password\",\"admin\":true}"
      })
  void open_malformedRequest_rejected(String body) {
    setSignUpMode("open");
    assertThat(web.status("", "POST", PATH, body)).isEqualTo(400);
  }

  @Test
  void code_requiredAndCounted() {
    setSignUpMode("code");
    String code = code("{\"uses\":2,\"note\":\"class of 2026\"}");
    assertThat(signUp("bob", "").statusCode()).isEqualTo(400);
    String typed = code.toLowerCase(Locale.ROOT).replace("-", " ");
    assertThat(signUp("bob", ",\"code\":\"" + typed + "\"").statusCode()).isEqualTo(201);
    assertThat(signUp("alice", ",\"code\":\"" + code + "\"").statusCode()).isEqualTo(409);
    JsonNode listed = web.json(web.root, "GET", PATH + "/codes", "").get("codes").get(0);
    assertThat(listed.get("usesLeft").intValue()).isEqualTo(1);
    assertThat(listed.has("code")).isFalse();
    assertThat(signUp("carol", ",\"code\":\"" + code + "\"").statusCode()).isEqualTo(201);
    assertThat(signUp("dave", ",\"code\":\"" + code + "\"").statusCode()).isEqualTo(403);
  }

  @Test
  void code_allErrorsAreEqualAndDoNotRevealNames() {
    setSignUpMode("code");
    String revoked = code("{}");
    String id =
        web.json(web.root, "GET", PATH + "/codes", "").get("codes").get(0).get("id").textValue();
    assertThat(web.status(web.root, "DELETE", PATH + "/codes/" + id, "")).isEqualTo(204);
    String expired = code("{\"expiresInSeconds\":60}");
    web.clock.advance(Duration.ofMinutes(2));
    String unknown = signUp("bob", ",\"code\":\"ABCD-EFGH\"").body();
    assertThat(unknown).contains("error.bad-code");
    assertThat(signUp("bob", ",\"code\":\"" + revoked + "\"").body()).isEqualTo(unknown);
    assertThat(signUp("bob", ",\"code\":\"" + expired + "\"").body()).isEqualTo(unknown);
    assertThat(signUp("alice", ",\"code\":\"ABCD-EFGH\"").body()).isEqualTo(unknown);
  }

  @Test
  void code_unknownGroup() {
    assertThat(web.status(web.root, "POST", PATH + "/codes", "{\"groups\":[\"lab\"]}"))
        .isEqualTo(400);
    assertThat(web.status(web.root, "POST", PATH + "/codes", "{\"uses\":0}")).isEqualTo(400);
    assertThat(web.status(web.alice, "POST", PATH + "/codes", "{}")).isEqualTo(403);
  }

  @Test
  void guessing_isThrottled() {
    setSignUpMode("code");
    for (int i = 0; i < 200; i++) {
      assertThat(signUp("bob", ",\"code\":\"X" + i + "\"").statusCode()).isEqualTo(403);
    }
    HttpResponse<String> slowed = signUp("bob", ",\"code\":\"X\"");
    assertThat(slowed.statusCode()).isEqualTo(429);
    assertThat(slowed.headers().firstValue("retry-after")).isPresent();
    assertThat(signUp("bob", ",\"code\":\"" + code("{}") + "\"").statusCode()).isEqualTo(201);
  }

  @Test
  void classOfForty_behindOneAddress_notThrottled() {
    setSignUpMode("code");
    String code = code("{\"uses\":40}");
    for (int i = 0; i < 40; i++) {
      assertThat(signUp("student" + i, ",\"code\":\"" + code + "\"").statusCode()).isEqualTo(201);
    }
  }

  @Test
  void approval_pendingShownOnlyWithCorrectPassword() {
    setSignUpMode("approval");
    assertThat(signUp("bob", ",\"message\":\"I am Bob\"").statusCode()).isEqualTo(202);
    assertThat(web.users.find("bob")).isEmpty();
    assertThat(signUp("bob", "").statusCode()).isEqualTo(409);
    assertThat(signIn("bob", "a-password").body()).contains("error.sign-up-waits");
    assertThat(signIn("bob", "wrong").body()).isEqualTo(signIn("nobody", "wrong").body());
    JsonNode pending = web.json(web.root, "GET", PATH + "/pending", "").get("pending");
    assertThat(pending).hasSize(1);
    assertThat(pending.get(0).get("message").textValue()).isEqualTo("I am Bob");
    assertThat(pending.get(0).toString()).doesNotContain("argon2");
    String path = PATH + "/pending/" + pending.get(0).get("id").textValue();
    assertThat(web.status(web.alice, "POST", path + "/approve", "{}")).isEqualTo(403);
    assertThat(web.status(web.root, "POST", path + "/approve", "{}")).isEqualTo(200);
    assertThat(web.status(web.root, "POST", path + "/approve", "{}")).isEqualTo(404);
    assertThat(signIn("bob", "a-password").statusCode()).isEqualTo(201);
  }

  /** Without this, a user who was invited to a class could also use the cluster of all users. */
  @Test
  void code_groupWithAVirtualCluster_replacesTheGroupDefault() {
    createClass();
    setSignUpMode("code");
    signUp("bob", ",\"code\":\"" + code("{\"groups\":[\"class\"]}") + "\"");
    assertThat(groupsOf("bob")).containsExactly("class");
    signUp("carol", ",\"code\":\"" + code("{\"groups\":[\"class\",\"default\"]}") + "\"");
    assertThat(groupsOf("carol")).containsExactly("class", "default");
    signUp("dave", ",\"code\":\"" + code("{\"groups\":[\"club\"]}") + "\"");
    assertThat(groupsOf("dave")).containsExactly("club", "default");
    signUp("eve", ",\"code\":\"" + code("{}") + "\"");
    assertThat(groupsOf("eve")).containsExactly("default");
  }

  @Test
  void approval_groupWithAVirtualCluster_replacesTheGroupDefault() {
    createClass();
    setSignUpMode("approval");
    for (String name : List.of("bob", "carol")) {
      signUp(name, "");
      String id = web.json(web.root, "GET", PATH + "/pending", "").at("/pending/0/id").textValue();
      String groups = name.equals("bob") ? "{\"groups\":[\"class\"]}" : "{}";
      assertThat(web.status(web.root, "POST", PATH + "/pending/" + id + "/approve", groups))
          .isEqualTo(200);
    }
    assertThat(groupsOf("bob")).containsExactly("class");
    assertThat(groupsOf("carol")).containsExactly("default");
  }

  private void createClass() {
    web.teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("class", "", Quota.UNLIMITED));
    web.teams.createGroup(Actor.SYSTEM, Group.named("class").withVirtualClusters(List.of("class")));
    web.teams.createGroup(Actor.SYSTEM, Group.named("club"));
  }

  private List<String> groupsOf(String user) {
    return web.teams.groupsOf(web.users.load(user).id());
  }

  @Test
  void approval_rejectedWithMessage_maySignUpAgain() {
    setSignUpMode("approval");
    signUp("bob", "");
    String id =
        web.json(web.root, "GET", PATH + "/pending", "")
            .get("pending")
            .get(0)
            .get("id")
            .textValue();
    String path = PATH + "/pending/" + id + "/refuse";
    assertThat(web.status(web.root, "POST", path, "{\"word\":\"Who are you?\"}")).isEqualTo(204);
    assertThat(signIn("bob", "a-password").body()).contains("Who are you?");
    assertThat(signIn("bob", "wrong").body()).contains("WRONG_CREDENTIALS");
    assertThat(web.json(web.root, "GET", PATH + "/pending", "").get("pending")).isEmpty();
    assertThat(signUp("bob", "").statusCode()).isEqualTo(202);
  }

  @Test
  void approval_validCode_needsNoApproval() {
    setSignUpMode("approval");
    assertThat(signUp("bob", ",\"code\":\"" + code("{}") + "\"").statusCode()).isEqualTo(201);
  }

  @Test
  void requests_areCreatedDecidedAndListed() {
    String path = "/api/v3/requests";
    String body = "{\"kind\":\"device\",\"what\":\"a100\",\"text\":\"for my thesis\"}";
    JsonNode created = web.json(web.alice, "POST", path, body);
    assertThat(created.get("state").textValue()).isEqualTo("open");
    assertThat(web.json(web.root, "GET", path, "").get("requests")).isEmpty();
    JsonNode open = web.json(web.root, "GET", path + "?all=true&state=open", "").get("requests");
    assertThat(open.get(0).get("user").textValue()).isEqualTo("alice");
    assertThat(web.status(web.alice, "GET", path + "?all=true", "")).isEqualTo(403);
    String one = path + "/" + created.get("id").textValue();
    assertThat(web.status(web.alice, "POST", one + "/grant", "{}")).isEqualTo(403);
    assertThat(web.status(web.root, "POST", one + "/grant", "{\"word\":\"two of them\"}"))
        .isEqualTo(200);
    assertThat(web.status(web.root, "POST", one + "/refuse", "{}")).isEqualTo(409);
    JsonNode answered = web.json(web.alice, "GET", path, "").get("requests").get(0);
    assertThat(answered.get("state").textValue()).isEqualTo("granted");
    assertThat(answered.get("word").textValue()).isEqualTo("two of them");
    assertThat(answered.get("decidedBy").textValue()).isEqualTo("root");
    assertThat(web.status(web.alice, "DELETE", one, "")).isEqualTo(409);
  }

  @Test
  void requests_grantAddsToGroups() {
    web.teams.createGroup(Actor.SYSTEM, Group.named("lab"));
    String path = "/api/v3/requests";
    String body = "{\"kind\":\"pool\",\"what\":\"lab\"}";
    String one = path + "/" + web.json(web.alice, "POST", path, body).get("id").textValue();
    String unknown = "{\"groups\":[\"lab\",\"nothing\"]}";
    HttpResponse<String> rejected = web.send(web.root, "POST", one + "/grant", unknown);
    assertThat(rejected.statusCode()).isEqualTo(400);
    assertThat(rejected.body()).contains("error.no-group", "nothing");
    assertThat(web.teams.members("lab")).isEmpty();
    String groups = "{\"groups\":[\"lab\"],\"word\":\"welcome\"}";
    assertThat(web.status(web.root, "POST", one + "/grant", groups)).isEqualTo(200);
    assertThat(web.teams.members("lab")).containsExactly("alice");
    assertThat(web.json(web.root, "GET", "/api/v3/audit?action=request.grant", "").toString())
        .contains("\"groups\":[\"lab\"]");
    assertThat(web.json(web.root, "GET", "/api/v3/audit?action=group.add-member", "").toString())
        .contains("group:lab", "\"user\":\"alice\"");
    assertThat(web.status(web.root, "POST", one + "/grant", groups)).isEqualTo(409);
  }

  @Test
  void requests_areListedInPages() {
    String path = "/api/v3/requests";
    List<String> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String body = "{\"kind\":\"other\",\"text\":\"%d\"}".formatted(i);
      created.addFirst(web.json(web.alice, "POST", path, body).get("id").textValue());
    }
    List<String> seen = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = web.json(web.root, "GET", path + "?all=true&limit=2" + after, "");
      page.get("requests").forEach(request -> seen.add(request.get("id").textValue()));
      after = page.has("next") ? "&after=" + page.get("next").textValue() : "";
    } while (!after.isEmpty());
    assertThat(seen).isEqualTo(created);
    assertThat(web.status(web.alice, "GET", path + "?limit=0", "")).isEqualTo(400);
    assertThat(web.status(web.alice, "GET", path + "?limit=501", "")).isEqualTo(400);
    assertThat(web.status(web.alice, "GET", path + "?after=x", "")).isEqualTo(400);
  }

  @Test
  void requests_areLimitedAndCanBeWithdrawn() {
    String path = "/api/v3/requests";
    assertThat(web.status(web.alice, "POST", path, "{\"kind\":\"money\",\"what\":\"x\"}"))
        .isEqualTo(400);
    assertThat(web.status(web.alice, "POST", path, "{\"kind\":\"other\"}")).isEqualTo(400);
    String body = "{\"kind\":\"other\",\"text\":\"more\"}";
    String id = web.json(web.alice, "POST", path, body).get("id").textValue();
    for (int i = 1; i < 20; i++) {
      assertThat(web.status(web.alice, "POST", path, body)).isEqualTo(201);
    }
    assertThat(web.status(web.alice, "POST", path, body)).isEqualTo(409);
    assertThat(web.status(web.root, "DELETE", path + "/" + id, "")).isEqualTo(404);
    assertThat(web.status(web.alice, "DELETE", path + "/" + id, "")).isEqualTo(204);
    assertThat(web.status(web.alice, "POST", path, body)).isEqualTo(201);
  }
}
