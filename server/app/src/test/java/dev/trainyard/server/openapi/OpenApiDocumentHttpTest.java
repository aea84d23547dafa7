package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.http.Authenticator;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests the OpenAPI documents and their page over a real connection. */
class OpenApiDocumentHttpTest {
  private final Authenticator anonymous = _ -> Optional.empty();
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0), routes -> new OpenApiDocumentRoutes().addTo(routes), anonymous);

  @AfterEach
  void stop() {
    web.close();
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void document_servedAsJsonAndYaml() throws Exception {
    for (String address : List.of(OpenApiDocumentRoutes.V3, OpenApiDocumentRoutes.OPENPAI)) {
      HttpResponse<String> json = web.send("GET", address + ".json", "");
      assertThat(json.statusCode()).isEqualTo(200);
      assertThat(header(json, "Content-Type")).isEqualTo("application/json");
      assertThat(Json.MAPPER.readTree(json.body()).get("openapi").asText()).isEqualTo("3.1.0");
      HttpResponse<String> yaml = web.send("GET", address + ".yaml", "");
      assertThat(header(yaml, "Content-Type")).startsWith("application/yaml");
      assertThat(yaml.body()).startsWith("openapi: 3.1.0\n");
    }
  }

  @Test
  void document_cached_notSentAgain() throws Exception {
    HttpResponse<String> first = web.send("GET", OpenApiDocumentRoutes.V3 + ".json", "");
    String tag = header(first, "ETag");
    assertThat(tag).isNotEmpty();
    HttpResponse<String> again =
        web.send(
            "GET", OpenApiDocumentRoutes.V3 + ".json", "", "If-None-Match", "\"other\", W/" + tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "ETag")).isEqualTo(tag);
    HttpResponse<String> other =
        web.send("GET", OpenApiDocumentRoutes.OPENPAI + ".json", "", "If-None-Match", tag);
    assertThat(other.statusCode()).isEqualTo(200);
  }

  @Test
  void page_runsScriptsOfThisServerOnly() throws Exception {
    HttpResponse<String> page = web.send("GET", "/docs/api", "");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self';", "connect-src 'self'")
        .doesNotContain("unsafe");
    assertThat(page.body())
        .as("a link back to the application")
        .contains("<a class=\"back\" href=\"/\">");
    assertThat(page.body()).doesNotContain("http://", "https://", "<script>", "onclick", "style=");
    for (String file : List.of("page.js", "page.css", "library.js", "library.css")) {
      HttpResponse<String> response = web.send("GET", "/docs/api/" + file, "");
      assertThat(response.statusCode()).as(file).isEqualTo(200);
      assertThat(header(response, "Content-Type"))
          .startsWith(file.endsWith("js") ? "text/javascript" : "text/css");
      assertThat(page.body()).contains("\"/docs/api/" + file + "\"");
    }
  }
}
