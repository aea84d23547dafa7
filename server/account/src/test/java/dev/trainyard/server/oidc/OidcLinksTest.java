package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.team.VirtualCluster;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Identity links created by administrators, and sign-in of a terminal. */
class OidcLinksTest {
  private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  private static final Pattern CODE = Pattern.compile("requested it: (\\S+)");

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

  private static String identities(String user) {
    return "/api/v3/users/" + user + "/identities";
  }

  @Test
  void unlink_endsSessionsAndRevokesGroups() throws Exception {
    web.group("lab", "lab", false);
    HttpResponse<String> signedIn = web.signIn("s1", "alice", "lab");
    assertThat(web.me(signedIn)).isEqualTo("alice");
    assertThat(web.asRoot("DELETE", identities("alice") + "?subject=s9", "").statusCode())
        .isEqualTo(404);
    assertThat(web.me(signedIn)).isEqualTo("alice");
    assertThat(web.asRoot("DELETE", identities("alice") + "?subject=s1", "").statusCode())
        .isEqualTo(204);
    assertThat(web.me(signedIn)).isEmpty();
    assertThat(web.teams.groupsOf(web.users.load("alice").id())).containsExactly("default");
    assertThat(web.signIn("s1", "alice").body()).contains("error.oidc-name-taken");
    assertThat(web.asRoot("GET", identities("alice"), "").body()).isEqualTo("{\"identities\":[]}");
  }

  /** Only at the first sign-in: later changes of the memberships are the administrator's. */
  @Test
  void newUser_groupWithAVirtualCluster_replacesTheGroupDefault() throws Exception {
    web.teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("class", "", Quota.UNLIMITED));
    web.group("class", "2026", false);
    web.teams.changeGroup(
        Actor.SYSTEM, "class", group -> group.withVirtualClusters(List.of("class")));
    web.group("club", "club", false);
    web.signIn("s1", "alice", "2026", "club");
    assertThat(groupsOf("alice")).containsExactly("class", "club");
    web.signIn("s2", "bob", "club");
    assertThat(groupsOf("bob")).containsExactly("club", "default");
    web.signIn("s2", "bob", "club", "2026");
    assertThat(groupsOf("bob")).containsExactly("class", "club", "default");
    web.teams.addMember(Actor.SYSTEM, "default", "alice");
    web.signIn("s1", "alice", "2026");
    assertThat(groupsOf("alice")).containsExactly("class", "default");
    web.teams.changeGroup(Actor.SYSTEM, "default", group -> group.withExternalName("all"));
    web.signIn("s3", "carol", "2026", "all");
    assertThat(groupsOf("carol")).containsExactly("class", "default");
  }

  private List<String> groupsOf(String user) {
    return web.teams.groupsOf(web.users.load(user).id());
  }

  @Test
  void link_oneIdentityToOneUser() throws Exception {
    web.signIn("s1", "alice");
    HttpResponse<String> taken = web.asRoot("POST", identities("root"), "{\"subject\":\"s1\"}");
    assertThat(taken.statusCode()).isEqualTo(409);
    assertThat(taken.body()).contains("error.oidc-linked", "alice");
    String sameIdentity = "{\"subject\":\"s1\",\"issuer\":\"" + web.provider.issuer() + "\"}";
    assertThat(web.asRoot("POST", identities("alice"), sameIdentity).statusCode()).isEqualTo(201);
    String other = "{\"subject\":\"s1\",\"issuer\":\"https://other.example.org\"}";
    JsonNode identityList = TestWeb.json(web.asRoot("POST", identities("alice"), other));
    assertThat(identityList.get("identities")).hasSize(2);
    String one = "?subject=s1&issuer=https://other.example.org";
    assertThat(web.asRoot("DELETE", identities("alice") + one, "").statusCode()).isEqualTo(204);
    assertThat(web.asRoot("DELETE", identities("alice") + one, "").statusCode()).isEqualTo(404);
    assertThat(web.asRoot("GET", identities("alice"), "").body())
        .contains(web.provider.issuer())
        .doesNotContain("other.example.org");
    for (String bad : new String[] {"{}", "{\"subject\":\"\"}", "{\"subject\":\"a\\u0000\"}"}) {
      assertThat(web.asRoot("POST", identities("alice"), bad).statusCode()).isEqualTo(400);
    }
    assertThat(web.asRoot("POST", identities("nobody"), sameIdentity).statusCode()).isEqualTo(404);
  }

  @Test
  void deleteUser_deletesLinks() throws Exception {
    web.signIn("s1", "alice");
    String old = web.users.load("alice").id();
    assertThat(web.asRoot("DELETE", "/api/v3/users/alice", "").statusCode()).isEqualTo(204);
    assertThat(web.me(web.signIn("s1", "alice"))).isEqualTo("alice");
    assertThat(web.users.load("alice").id()).isNotEqualTo(old);
  }

  private String terminalCode() throws Exception {
    OidcFixture.PendingSignIn pending =
        web.begin("&terminal=" + AuthorizationRequest.challenge(VERIFIER));
    Map<String, Object> claims = Map.of("sub", "s1", "preferred_username", "alice");
    var page = web.returnFromProvider(pending, web.provider.authorize(pending.address(), claims));
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    // The browser itself is not signed in.
    assertThat(web.me(page)).isEmpty();
    Matcher code = CODE.matcher(page.body());
    assertThat(code.find()).as(page.body()).isTrue();
    return code.group(1);
  }

  private HttpResponse<String> redeem(String code, String verifier) throws Exception {
    String body = "{\"code\":\"" + code + "\",\"verifier\":\"" + verifier + "\"}";
    return web.web.send("POST", "/api/v3/oidc/sessions", body);
  }

  @Test
  void terminal_redeemsTheCode() throws Exception {
    String code = terminalCode();
    HttpResponse<String> response = redeem(code, VERIFIER);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    JsonNode session = TestWeb.json(response);
    assertThat(session.get("user").textValue()).isEqualTo("alice");
    String bearer = "Bearer " + session.get("token").textValue();
    assertThat(web.web.get("/api/v3/me", "Authorization", bearer).statusCode()).isEqualTo(200);
    assertThat(redeem(code, VERIFIER).statusCode()).isEqualTo(401);
  }

  @Test
  void terminal_otherVerifierOrExpired() throws Exception {
    assertThat(redeem(terminalCode(), "x".repeat(43)).body()).contains("error.oidc-code");
    String code = terminalCode();
    web.clock.advance(Duration.ofMinutes(5));
    assertThat(redeem(code, VERIFIER).statusCode()).isEqualTo(401);
    assertThat(redeem("guess", VERIFIER).statusCode()).isEqualTo(401);
    assertThat(web.web.get("/api/v3/oidc/login?here=1&terminal=short").body())
        .contains("error.oidc-landing");
  }
}
