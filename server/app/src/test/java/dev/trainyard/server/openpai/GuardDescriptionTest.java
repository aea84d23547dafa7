package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.http.Scope;
import dev.trainyard.server.openapi.OpenApiDocument;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The document states the required access of every operation. */
class GuardDescriptionTest {
  /**
   * Returns the key of an operation. The document describes an operation for every method as GET.
   */
  private static String key(String method, String path) {
    return (method.equals("*") ? "GET" : method.toUpperCase(Locale.ROOT))
        + " "
        + path.replaceAll("\\{(\\w+)}", ":$1");
  }

  @Test
  void access_matchesTheOperation() {
    Map<String, String> described = new TreeMap<>();
    for (var path : OpenApiDocument.ofOpenPai().document().get("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        if (path.getKey().startsWith("/api/") && operation.getValue().isObject()) {
          String access = operation.getValue().path("x-access").asText();
          String usual = operation.getKey().equals("get") ? "read" : "all";
          String said = access + " " + operation.getValue().path("x-scope").asText(usual);
          described.put(key(operation.getKey(), path.getKey()), said);
          operation
              .getValue()
              .path("x-also")
              .forEach(other -> described.put(key(operation.getKey(), other.asText()), said));
        }
      }
    }
    Map<String, String> real = new TreeMap<>();
    // Some operations exist only with a provider. The server does not contact the provider before a
    // user signs in.
    Map<String, String> provider =
        Map.of(
            "oidc-issuer", "http://127.0.0.1:9",
            "oidc-client-id", "trainyard",
            "public-url", "http://localhost");
    try (OpenPaiFixture fixture = new OpenPaiFixture(true, provider)) {
      for (Operation operation : fixture.openPai.operations()) {
        Scope needed = operation.method().equals("*") ? Scope.READ : operation.requiredScope();
        real.put(
            key(operation.method(), operation.version().base() + operation.path()),
            operation.guard() + " " + needed.label());
      }
    }
    assertThat(described).containsExactlyInAnyOrderEntriesOf(real);
  }
}
