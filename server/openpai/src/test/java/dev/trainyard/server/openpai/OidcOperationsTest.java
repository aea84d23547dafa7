package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.TestWeb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * OpenPAI's endpoints for the sign-in through a provider; the sign-in itself is tested elsewhere.
 */
class OidcOperationsTest {
  private HttpServer provider;
  private OpenPaiFixture fixture;

  @BeforeEach
  void start() throws IOException {
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String issuer = "http://127.0.0.1:" + provider.getAddress().getPort();
    byte[] metadata =
        Json.MAPPER.writeValueAsBytes(
            Map.of(
                "issuer", issuer,
                "authorization_endpoint", issuer + "/auth",
                "token_endpoint", issuer + "/token",
                "jwks_uri", issuer + "/keys",
                "end_session_endpoint", issuer + "/end"));
    provider.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, metadata.length);
          try (exchange) {
            exchange.getResponseBody().write(metadata);
          }
        });
    provider.start();
    fixture =
        new OpenPaiFixture(
            true,
            Map.of(
                "oidc-issuer", issuer,
                "oidc-client-id", "c",
                "public-url", "https://trainyard.example.org",
                "oidc-return-origins", "https://portal.example.org"));
  }

  @AfterEach
  void stop() {
    fixture.close();
    provider.stop(0);
  }

  @Test
  void info_reportsSignInMethod() throws Exception {
    JsonNode info = TestWeb.json(fixture.web.get("/rest-server/api/v2/info"));
    assertThat(info.get("authnMethod").textValue()).isEqualTo("OIDC");
    JsonNode authn = TestWeb.json(fixture.web.get("/api/v1/authn/info"));
    assertThat(authn.get("authn_type").textValue()).isEqualTo("oidc");
    assertThat(authn.get("loginURI").textValue()).isEqualTo("/api/v1/authn/oidc/login");
    assertThat(authn.get("loginURIMethod").textValue()).isEqualTo("get");
    // Users with a password can still use it.
    assertThat(fixture.signIn("alice")).isNotEmpty();
  }

  @Test
  void login_onlyForConfiguredOrigins() throws Exception {
    for (String root : List.of("/rest-server/api/v1", "/api/v2")) {
      String path = "/api/v" + root.charAt(root.length() - 1) + "/authn/oidc/login";
      HttpResponse<String> elsewhere =
          fixture.web.get(
              root + "/authn/oidc/login?redirect_uri=https%3A%2F%2Ftrainyard.example.org%2F");
      assertThat(elsewhere.headers().firstValue("location").orElseThrow())
          .as("the cookie must be sent back to the host that set it")
          .startsWith("https://trainyard.example.org" + path + "?redirect_uri=")
          .endsWith("&here=1");
      assertThat(elsewhere.headers().firstValue("set-cookie")).isEmpty();
      String login = root + "/authn/oidc/login?here=1&redirect_uri=";
      HttpResponse<String> good =
          fixture.web.get(login + "https%3A%2F%2Fportal.example.org%2Findex.html&from=%2Fjobs");
      assertThat(good.statusCode()).as(good.body()).isEqualTo(302);
      assertThat(good.headers().firstValue("location").orElseThrow()).contains("/auth?");
      assertThat(good.headers().firstValue("set-cookie").orElseThrow())
          .startsWith("trainyard_oidc=");
      HttpResponse<String> own = fixture.web.get(login + "https%3A%2F%2Ftrainyard.example.org%2F");
      assertThat(own.statusCode()).isEqualTo(302);
      HttpResponse<String> evil = fixture.web.get(login + "https%3A%2F%2Fevil.example.org%2F");
      assertThat(OpenPaiFixture.refusal(evil)).isEqualTo("400 InvalidParametersError");
      assertThat(fixture.web.get(root + "/authn/oidc/login").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void callback_failed_reportedToThePage() throws Exception {
    String login =
        "/api/v2/authn/oidc/login?here=1&redirect_uri=https%3A%2F%2Fportal.example.org%2F&from=x";
    HttpResponse<String> loginResponse = fixture.web.get(login);
    String cookie =
        loginResponse.headers().firstValue("set-cookie").orElseThrow().split(";", -1)[0];
    String state =
        loginResponse
            .headers()
            .firstValue("location")
            .orElseThrow()
            .replaceAll(".*state=([^&]+).*", "$1");
    HttpResponse<String> sentOn =
        fixture.web.get("/api/v2/authn/oidc/return?error=access_denied&state=" + state + "&evil=1");
    String there = sentOn.headers().firstValue("location").orElseThrow();
    assertThat(there).isEqualTo("/api/v3/oidc/return?state=" + state + "&error=access_denied");
    HttpResponse<String> end = fixture.web.get(there, "Cookie", cookie);
    assertThat(end.headers().firstValue("location").orElseThrow())
        .startsWith("https://portal.example.org/?from=x&errorMessage=")
        .contains("access_denied");
  }

  @Test
  void logout_redirectsToTheProvider() throws Exception {
    HttpResponse<String> response = fixture.web.get("/rest-server/api/v2/authn/oidc/logout");
    assertThat(response.headers().firstValue("location").orElseThrow())
        .contains("/end?client_id=c&post_logout_redirect_uri=https");
  }
}
