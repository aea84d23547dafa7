package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Route;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents are valid OpenAPI and describe every route of the server correctly. */
class OpenApiDocumentTest {
  private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

  /** Routes that the documents do not describe, with the reason. */
  private static final Map<String, String> UNDESCRIBED =
      Map.of(
          "GET /(docs/api.*|assets/:file)?", "pages for people",
          "GET .*\\.html", "old URLs of OpenPAI's pages; redirected to ours",
          "OPTIONS /api/v[12]/\\*", "preflight requests of browsers; not for programs",
          "\\* /api/v[12]/\\*", "paths that OpenPAI does not have; not found");

  /**
   * Settings without which some routes do not exist. The server does not contact the provider
   * before a user signs in.
   */
  private static final Map<String, String> EVERYTHING =
      Map.of(
          "oidc-issuer", "http://127.0.0.1:9",
          "oidc-client-id", "trainyard",
          "public-url", "http://localhost");

  @TempDir private Path directory;

  private static Stream<OpenApiDocument> descriptions() {
    return Stream.of(OpenApiDocument.ofV3(), OpenApiDocument.ofOpenPai());
  }

  @ParameterizedTest
  @MethodSource("descriptions")
  void document_isOpenApi(OpenApiDocument openApiDocument) {
    ParseOptions options = new ParseOptions();
    options.setResolve(true);
    for (String text :
        List.of(
            openApiDocument.yaml(), new String(openApiDocument.json(), StandardCharsets.UTF_8))) {
      var read = new OpenAPIV3Parser().readContents(text, null, options);
      assertThat(read.getMessages()).isEmpty();
      assertThat(read.getOpenAPI().getPaths())
          .hasSameSizeAs(openApiDocument.document().get("paths"));
    }
  }

  /**
   * Detects a comma in an unquoted text of a YAML flow mapping: YAML parses the text after the
   * comma as a name.
   */
  @ParameterizedTest
  @MethodSource("descriptions")
  void names_withoutBlanks(OpenApiDocument openApiDocument) {
    assertThat(names(openApiDocument.document())).noneMatch(name -> name.contains(" "));
  }

  private static Stream<String> names(JsonNode node) {
    return node.isArray()
        ? node.valueStream().flatMap(OpenApiDocumentTest::names)
        : node.propertyStream()
            .flatMap(it -> Stream.concat(Stream.of(it.getKey()), names(it.getValue())));
  }

  @ParameterizedTest
  @MethodSource("descriptions")
  void references_resolve(OpenApiDocument openApiDocument) {
    var document = openApiDocument.document();
    assertThat(document.findValuesAsText("$ref"))
        .allMatch(it -> it.startsWith("#/") && !document.at(it.substring(1)).isMissingNode());
  }

  @ParameterizedTest
  @MethodSource("descriptions")
  void components_allUsed(OpenApiDocument openApiDocument) {
    TreeSet<String> unused = new TreeSet<>();
    for (var kind : openApiDocument.document().get("components").properties()) {
      if (!kind.getKey().equals("securitySchemes")) {
        kind.getValue().fieldNames().forEachRemaining(it -> unused.add(kind.getKey() + "/" + it));
      }
    }
    for (String used : openApiDocument.document().findValuesAsText("$ref")) {
      unused.remove(used.substring("#/components/".length()));
    }
    assertThat(unused).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("descriptions")
  void operations_haveRequiredFields(OpenApiDocument openApiDocument) {
    List<DescribedOperation> all = DescribedOperation.all(openApiDocument);
    assertThat(all)
        .extracting(it -> it.node().path("operationId").asText())
        .doesNotHaveDuplicates();
    for (DescribedOperation operation : all) {
      var node = operation.node();
      assertThat(node.path("operationId").asText()).as(operation.path()).matches("[a-zA-Z0-9]+");
      assertThat(node.path("summary").asText()).as(operation.path()).isNotEmpty();
      assertThat(node.path("description").asText().strip())
          .as("description of " + operation.method() + " " + operation.path())
          .isNotEmpty()
          .isNotEqualTo(node.path("summary").asText());
      assertThat(node.path("tags")).as(operation.path()).hasSize(1);
      List<String> parts =
          PART.matcher(operation.path()).results().map((MatchResult it) -> it.group(1)).toList();
      assertThat(operation.parametersIn("path"))
          .as(operation.path())
          .containsExactlyInAnyOrderElementsOf(parts);
    }
  }

  /**
   * Many client generators support neither YAML bodies nor responses without a schema; they then
   * omit the operation or its result.
   */
  @Test
  void bodies_usableByClientGenerators() {
    for (DescribedOperation operation : DescribedOperation.all(OpenApiDocument.ofV3())) {
      JsonNode body = operation.node().at("/requestBody/content");
      if (!body.isMissingNode()) {
        assertThat(body.has("application/json") || body.has("application/octet-stream"))
            .as("body of " + operation.path())
            .isTrue();
      }
      for (JsonNode response : operation.node().path("responses")) {
        assertThat(response.path("content"))
            .as("response of " + operation.path())
            .allMatch(content -> content.has("schema"));
      }
    }
    for (String id : List.of("submitJob", "checkJob")) {
      assertThat(OpenApiDocument.ofV3().document().findParents("operationId"))
          .filteredOn(it -> it.path("operationId").asText().equals(id))
          .allMatch(it -> it.at("/requestBody/content/application~1octet-stream").has("schema"));
    }
  }

  @Test
  void routes_matchOperations() throws Exception {
    Map<String, String> routes = new TreeMap<>();
    List<String> undescribed = new ArrayList<>();
    try (FullServerFixture fixture = new FullServerFixture(directory, EVERYTHING)) {
      for (Route route : fixture.server.routes()) {
        String method = route.method();
        String address = route.path().replaceFirst("^/rest-server", "");
        if (UNDESCRIBED.keySet().stream().anyMatch((method + " " + address)::matches)) {
          undescribed.add(method + " " + address);
          continue;
        }
        // Some paths of OpenPAI support every method; the document describes them as GET.
        String read = method.equals("*") ? "GET" : method;
        routes.put(read + " " + address, route.access().map(Enum::name).orElse("foreign"));
      }
    }
    Map<String, String> described = new TreeMap<>();
    for (DescribedOperation operation : DescribedOperation.all(OpenApiDocument.ofV3())) {
      operation.routes().forEach(it -> described.put(it, operation.access()));
    }
    for (DescribedOperation operation : DescribedOperation.all(OpenApiDocument.ofOpenPai())) {
      operation.routes().forEach(it -> described.put(it, "foreign"));
    }
    assertThat(described).containsExactlyInAnyOrderEntriesOf(routes);
    for (String exception : UNDESCRIBED.keySet()) {
      assertThat(undescribed).as(exception).anyMatch(it -> it.matches(exception));
    }
  }
}
