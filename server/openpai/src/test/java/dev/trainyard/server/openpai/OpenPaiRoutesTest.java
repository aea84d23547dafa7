package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.V2;
import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.server.http.TestWeb;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenPaiRoutesTest {
  private final OpenPaiFixture fixture = new OpenPaiFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void info_underEveryPath() throws Exception {
    for (String path :
        List.of("/api/v2/info", V2 + "/info", "/api/v1", "/api/v1/", "/rest-server/api/v1/")) {
      JsonNode info = TestWeb.json(fixture.web.get(path));
      assertThat(info.get("name").textValue()).isEqualTo("PAI RESTful API");
      assertThat(info.get("authnMethod").textValue()).isEqualTo("basic");
    }
    assertThat(fixture.web.get("/api/v2/").body()).isEqualTo("PAI RESTful API v2 (beta version)");
    assertThat(TestWeb.json(fixture.web.get(V2 + "/authn/info")).get("loginURIMethod").textValue())
        .isEqualTo("post");
  }

  @Test
  void unknownPath_notFound() throws Exception {
    HttpResponse<String> response = fixture.web.get("/rest-server/api/v2/nothing?a=b");
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body())
        .isEqualTo(
            "{\"code\":\"NoApiError\","
                + "\"message\":\"API /rest-server/api/v2/nothing?a=b is not found.\"}");
    assertThat(refusal(fixture.web.send("PATCH", "/api/v2/jobs", ""))).isEqualTo("404 NoApiError");
  }

  @Test
  void guards_returnErrorsOfOpenPai() throws Exception {
    HttpResponse<String> guest = fixture.web.get(V2 + "/jobs");
    assertThat(guest.statusCode()).isEqualTo(401);
    assertThat(guest.body())
        .contains("UnauthorizedUserError", "Guest is not allowed to do this operation.");
    HttpResponse<String> wrong = fixture.send("wrong", "GET", "/jobs", "");
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("Your token is invalid.");
    HttpResponse<String> user =
        fixture.send(fixture.signIn("alice"), "GET", "/kubernetes/nodes", "");
    assertThat(user.statusCode()).isEqualTo(403);
    assertThat(user.body()).contains("Non-admin is not allow to do this operation.");
  }

  @Test
  void login_byFormAndJsonAndTextWithJson() throws Exception {
    String json = "{\"username\":\"alice\",\"password\":\"alice-password\"}";
    for (String path : List.of("/api/v1/token", "/api/v2/tokens", V2 + "/authn/basic/login")) {
      HttpResponse<String> response =
          fixture.web.send("POST", path, json, "Content-Type", "application/json");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(TestWeb.json(response).get("user").textValue()).isEqualTo("alice");
      assertThat(TestWeb.json(response).get("admin").booleanValue()).isFalse();
      assertThat(response.headers().allValues("set-cookie")).isEmpty();
    }
    assertThat(fixture.send(fixture.signIn("alice"), "GET", "/jobs", "").statusCode())
        .isEqualTo(200);
  }

  private String refusedLogin(OpenPaiFixture at, String name, String password) throws Exception {
    HttpResponse<String> response =
        at.web.send(
            "POST",
            V2 + "/authn/basic/login",
            "{\"username\":\"" + name + "\",\"password\":\"" + password + "\"}",
            "Content-Type",
            "application/json");
    return response.statusCode() + " " + response.body();
  }

  @Test
  void login_rejected_literalErrorsBySetting() throws Exception {
    assertThat(refusedLogin(fixture, "nobody", "some-password"))
        .isEqualTo("400 {\"code\":\"NoUserError\",\"message\":\"User nobody is not found.\"}");
    String wrong =
        "400 {\"code\":\"IncorrectPasswordError\",\"message\":\"Password is incorrect.\"}";
    assertThat(refusedLogin(fixture, "alice", "some-password")).isEqualTo(wrong);
    try (OpenPaiFixture discreet = new OpenPaiFixture(false)) {
      assertThat(refusedLogin(discreet, "nobody", "some-password")).isEqualTo(wrong);
      assertThat(refusedLogin(discreet, "alice", "some-password")).isEqualTo(wrong);
    }
    assertThat(refusedLogin(fixture, "a b", "some-password")).contains("InvalidParametersError");
    assertThat(refusedLogin(fixture, "alice", "short")).contains("InvalidParametersError");
  }

  @Test
  void login_guessing_isThrottled() throws Exception {
    String last = "";
    for (int i = 0; i < 10; i++) {
      last = refusedLogin(fixture, "alice", "some-password");
    }
    assertThat(last).startsWith("429 ").contains("TooManyRequestsError");
  }

  @Test
  void logout_endsTheToken() throws Exception {
    String token = fixture.signIn("alice");
    assertThat(fixture.send(token, "DELETE", "/authn/basic/logout", "").body())
        .isEqualTo("{\"message\":\"Logout successfully\"}");
    assertThat(fixture.send(token, "GET", "/jobs", "").statusCode()).isEqualTo(401);
  }

  @Test
  void basic_tokenAsPassword() throws Exception {
    String token = fixture.signIn("alice");
    assertThat(fixture.web.get(V2 + "/jobs", "Authorization", basic("alice", token)).statusCode())
        .isEqualTo(200);
    assertThat(fixture.web.get(V2 + "/jobs", "Authorization", basic("bob", token)).statusCode())
        .isEqualTo(401);
    assertThat(
            fixture
                .web
                .get(V2 + "/jobs", "Authorization", basic("alice", "alice-password"))
                .statusCode())
        .isEqualTo(401);
    assertThat(fixture.web.get(V2 + "/jobs", "Authorization", "Basic ???").statusCode())
        .isEqualTo(401);
  }

  private static String basic(String user, String token) {
    return "Basic "
        + Base64.getEncoder().encodeToString((user + ":" + token).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void cookies_ignored() throws Exception {
    String token = fixture.signIn("alice");
    HttpResponse<String> response =
        fixture.web.get(V2 + "/jobs", "Cookie", "trainyard_session=" + token);
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("access-control-allow-origin")).contains("*");
    assertThat(response.headers().firstValue("access-control-allow-credentials")).isEmpty();
  }

  @Test
  void otherOrigins_allowedWithToken() throws Exception {
    HttpResponse<String> preflight =
        fixture.web.send("OPTIONS", V2 + "/jobs", "", "Origin", "https://other.example");
    assertThat(preflight.statusCode()).isEqualTo(204);
    assertThat(preflight.headers().firstValue("access-control-allow-headers").orElseThrow())
        .contains("Authorization");
    assertThat(
            fixture
                .web
                .send(
                    "POST",
                    V2 + "/authn/basic/login",
                    "username=alice&password=alice-password",
                    "Origin",
                    "https://other.example",
                    "Content-Type",
                    "application/x-www-form-urlencoded")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void cluster_fromTheInventory() throws Exception {
    String alice = fixture.signIn("alice");
    String root = fixture.signIn("root");
    fixture.jobs.await(fixture.submit(alice, "alice", file("a", "")), JobState.RUNNING);
    JsonNode vc = fixture.get(alice, "/virtual-clusters").get("default");
    assertThat(vc.at("/resourcesTotal/cpu").intValue()).isEqualTo(8);
    assertThat(vc.at("/resourcesTotal/gpu").intValue()).isEqualTo(2);
    assertThat(vc.at("/resourcesUsed/cpu").intValue()).isEqualTo(1);
    assertThat(vc.get("usedCapacity").doubleValue()).isEqualTo(12.5);
    assertThat(fixture.get(alice, "/virtual-clusters?nodes").at("/box/gpuTotal").intValue())
        .isEqualTo(2);
    assertThat(refusal(fixture.send(alice, "GET", "/virtual-clusters/none", "")))
        .isEqualTo("404 NoVirtualClusterError");
    assertThat(fixture.get(alice, "/cluster/sku-types?vc=default").at("/a100/cpu").intValue())
        .isEqualTo(4);
    assertThat(fixture.get(alice, "/virtual-clusters/default/sku-types").has("a100")).isTrue();
    assertThat(refusal(fixture.send(root, "PUT", "/virtual-clusters/new", "{}")))
        .isEqualTo("400 NotImplementedError");
    assertThat(refusal(fixture.send(root, "DELETE", "/virtual-clusters/default", "")))
        .isEqualTo("403 ForbiddenUserError");
    JsonNode node = fixture.get(root, "/kubernetes/nodes").at("/items/0");
    assertThat(node.at("/metadata/name").textValue()).isEqualTo("box");
    assertThat(node.at("/status/capacity/cpu").textValue()).isEqualTo("8");
    String selector = "labelSelector=userName%3Dalice,type!=x";
    JsonNode pods = fixture.get(root, "/kubernetes/pods?namespace=default&" + selector);
    assertThat(pods.get("items")).hasSize(1);
    assertThat(pods.at("/items/0/status/conditions/0/status").textValue()).isEqualTo("True");
    assertThat(fixture.get(root, "/kubernetes/pods?labelSelector=userName%3Dbob").get("items"))
        .isEmpty();
    assertThat(fixture.get(root, "/alerts")).hasSize(1);
    assertThat(fixture.get(alice, "/alerts")).isEmpty();
  }

  @Test
  void pages_redirectToOwnPages() throws Exception {
    HttpResponse<String> response =
        fixture.web.get("/job-detail.html?username=alice&jobName=a%2F%0d%0ab");
    assertThat(response.statusCode()).isEqualTo(302);
    assertThat(response.headers().firstValue("location")).contains("/jobs/alice/a%2F%0D%0Ab");
    assertThat(fixture.web.get("/job-detail.html").headers().firstValue("location"))
        .contains("/jobs");
    assertThat(fixture.web.get("/view.html").statusCode()).isEqualTo(404);
  }
}
