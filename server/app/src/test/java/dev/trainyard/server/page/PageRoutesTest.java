package dev.trainyard.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Authenticator;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests the files of the web application over a real connection. */
class PageRoutesTest {
  private static final String ASSET = "/assets/main-1A2B.js";
  private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

  private final Authenticator anonymous = _ -> Optional.empty();
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0),
          routes -> {
            routes.add("POST", "/api/v3/things", Access.PUBLIC, _ -> "made");
            new PageRoutes().addTo(routes);
          },
          anonymous);

  @AfterEach
  void stop() {
    web.close();
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void page_servedAtEveryPageUrl() throws Exception {
    String page = web.get("/").body();
    assertThat(page).contains("<title>Page</title>");
    for (String address : List.of("/jobs", "/jobs/alice/a.b", "/admin/users?x=1", "/apiary")) {
      HttpResponse<String> response = web.get(address, "Accept", BROWSER);
      assertThat(response.statusCode()).as(address).isEqualTo(200);
      assertThat(response.body()).isEqualTo(page);
      assertThat(header(response, "Content-Type")).isEqualTo("text/html; charset=utf-8");
      assertThat(header(response, "Cache-Control")).isEqualTo("no-cache");
    }
  }

  @Test
  void page_notServedToPrograms() throws Exception {
    for (String address :
        List.of(
            "/api", "/api/v3/nothing", "/rest-server/x", "/docs/x", "/metrics/x", ASSET + "x")) {
      HttpResponse<String> response = web.get(address, "Accept", BROWSER);
      assertThat(response.statusCode()).as(address).isEqualTo(404);
      assertThat(response.body()).contains("NOT_FOUND");
    }
    assertThat(web.get("/jobs", "Accept", "*/*").statusCode()).isEqualTo(404);
    assertThat(web.send("POST", "/jobs", "", "Accept", BROWSER).statusCode()).isEqualTo(404);
    assertThat(web.get("/api/v3/things", "Accept", BROWSER).statusCode()).isEqualTo(405);
  }

  @Test
  void page_runsScriptsOfThisServerOnly() throws Exception {
    HttpResponse<String> page = web.get("/jobs", "Accept", BROWSER);
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
        .contains("connect-src 'self'");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(page, "Referrer-Policy")).isEqualTo("same-origin");
  }

  @Test
  void asset_cachedForever() throws Exception {
    HttpResponse<String> response = web.get(ASSET);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).startsWith("console.log(");
    assertThat(header(response, "Cache-Control")).contains("immutable", "max-age=31536000");
    assertThat(header(response, "Content-Security-Policy"))
        .isEqualTo("default-src 'none'; connect-src 'self'");
    HttpResponse<String> conditionalResponse =
        web.get(ASSET, "If-None-Match", header(response, "ETag"));
    assertThat(conditionalResponse.statusCode()).isEqualTo(304);
    assertThat(conditionalResponse.body()).isEmpty();
  }

  @Test
  void asset_sentInSmallestAcceptedCoding() throws Exception {
    assertThat(coding("gzip, deflate, br, zstd")).isEqualTo("br");
    assertThat(coding("gzip, br;q=0")).isEqualTo("gzip");
    assertThat(coding("GZIP;q=0.5")).isEqualTo("gzip");
    assertThat(coding("zstd, brx, gzip;q=0.000")).isEmpty();
    assertThat(coding("")).isEmpty();
  }

  private String coding(String accepted) throws Exception {
    HttpResponse<String> response = web.get(ASSET, "Accept-Encoding", accepted);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Vary")).isEqualTo("Accept-Encoding");
    return header(response, "Content-Encoding");
  }
}
