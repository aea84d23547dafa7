package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls every operation with the example of its description and checks the response against the
 * description.
 */
class ExamplesTest {
  private static final List<String> ORDER = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  /**
   * Operations that are called last because they end the session that the other operations need.
   */
  private static final Set<String> LAST = Set.of("signOut", "logout");

  @TempDir private Path directory;
  private FullServerFixture whole;

  @BeforeEach
  void start() throws Exception {
    whole = new FullServerFixture(directory);
    create("users", "{\"name\": \"alice\", \"password\": \"a-good-password\"}");
    create("storages", "{\"name\": \"datasets\"}");
    create("groups", "{\"name\": \"lab\", \"storages\": [\"datasets\"]}");
    whole.token = signIn("alice");
    for (String name : List.of("hello", "train", "queue")) {
      create(
          "jobs",
          example(OpenApiDocument.ofV3(), "submitJob").replace("name: hello", "name: " + name));
    }
    whole.token = signIn("admin");
  }

  private String signIn(String name) throws IOException {
    String credentials = "{\"user\": \"%s\", \"password\": \"a-good-password\"}".formatted(name);
    return json(whole.send("POST", "/api/v3/sessions", credentials)).get("token").asText();
  }

  @AfterEach
  void stop() {
    whole.close();
  }

  private void create(String what, String body) {
    assertThat(whole.send("POST", "/api/v3/" + what, body).statusCode()).isEqualTo(201);
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return Json.MAPPER.readTree(response.body());
  }

  private static String example(OpenApiDocument openApiDocument, String id) {
    return DescribedOperation.all(openApiDocument).stream()
        .filter(it -> it.node().get("operationId").textValue().equals(id))
        .map(it -> body(openApiDocument, it))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nativeApi_matchesDescription() {
    Map<String, Integer> statuses = sendExamples(OpenApiDocument.ofV3());
    assertThat(statuses)
        .containsEntry("showJob", 200)
        .containsEntry("listTasks", 200)
        .containsEntry("createGroup", 409)
        .containsEntry("createVirtualCluster", 201)
        .containsEntry("createInvitation", 201)
        .containsEntry("importUsers", 201)
        .containsEntry("addSshKey", 201)
        .containsEntry("changeLimits", 200)
        .containsEntry("tagJob", 204)
        .containsEntry("untagJob", 204)
        .containsEntry("exec", 400)
        .containsEntry("listAudit", 200)
        .containsEntry("backUp", 200)
        .containsEntry("deleteGroup", 204);
  }

  @Test
  void openPaiApi_matchesDescription() {
    Map<String, Integer> statuses = sendExamples(OpenApiDocument.ofOpenPai());
    assertThat(statuses)
        .containsEntry("submitJob", 202)
        .containsEntry("listJobs", 200)
        .containsEntry("showJob", 200)
        .containsEntry("createUser", 201)
        .containsEntry("changeGroup", 201)
        .containsEntry("tagJob", 200)
        .containsEntry("showStorage", 404)
        .containsEntry("listPods", 200)
        .containsEntry("deleteGroup", 200);
  }

  /** Returns the status of each operation by its ID. */
  private Map<String, Integer> sendExamples(OpenApiDocument openApiDocument) {
    DescribedResponse described = new DescribedResponse(openApiDocument);
    Map<String, Integer> statuses = new HashMap<>();
    DescribedOperation.all(openApiDocument).stream()
        .sorted(
            Comparator.comparingInt(
                it -> (LAST.contains(id(it)) ? ORDER.size() : 0) + ORDER.indexOf(it.method())))
        .forEach(
            operation -> {
              HttpResponse<String> response = send(openApiDocument, operation);
              described.check(operation, response);
              statuses.put(id(operation), response.statusCode());
            });
    return statuses;
  }

  private static String id(DescribedOperation operation) {
    return operation.node().get("operationId").textValue();
  }

  private HttpResponse<String> send(OpenApiDocument openApiDocument, DescribedOperation operation) {
    String path = operation.path();
    for (JsonNode parameter : operation.parameters()) {
      if (parameter.get("in").textValue().equals("path")) {
        path =
            path.replace(
                "{" + parameter.get("name").textValue() + "}", value(openApiDocument, parameter));
      }
    }
    String body = body(openApiDocument, operation);
    return whole.send(
        operation.method(),
        path,
        body,
        "Accept",
        "application/json",
        "Content-Type",
        type(openApiDocument, operation));
  }

  private static String value(OpenApiDocument openApiDocument, JsonNode parameter) {
    JsonNode schema =
        DescribedOperation.resolve(openApiDocument.document(), parameter.get("schema"));
    for (JsonNode found :
        List.of(
            parameter.path("example"),
            parameter.path("examples").path("over").path("value"),
            schema.path("example"),
            schema.path("enum").path(0))) {
      if (found.isValueNode()) {
        return found.asText();
      }
    }
    return "x";
  }

  private static JsonNode content(OpenApiDocument openApiDocument, DescribedOperation operation) {
    return DescribedOperation.resolve(
            openApiDocument.document(), operation.node().path("requestBody"))
        .path("content");
  }

  private static String type(OpenApiDocument openApiDocument, DescribedOperation operation) {
    var types = content(openApiDocument, operation).fieldNames();
    return types.hasNext() ? types.next() : "application/json";
  }

  private static String body(OpenApiDocument openApiDocument, DescribedOperation operation) {
    JsonNode content = content(openApiDocument, operation);
    if (content.isEmpty()) {
      return "";
    }
    JsonNode first = content.iterator().next();
    JsonNode schema = DescribedOperation.resolve(openApiDocument.document(), first.get("schema"));
    JsonNode example = first.has("example") ? first.get("example") : schema.path("example");
    return example.isTextual()
        ? example.textValue()
        : example.isMissingNode() ? "{}" : example.toString();
  }
}
