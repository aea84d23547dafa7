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

/** Every operation is used as its description shows it, and answers as it describes. */
class ExamplesTest {
  private static final List<String> ORDER = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  /** They end the sign-in that the others need. */
  private static final Set<String> LAST = Set.of("signOut", "logout");

  @TempDir private Path directory;
  private WholeServer whole;

  @BeforeEach
  void start() throws Exception {
    whole = new WholeServer(directory);
    make("users", "{\"name\": \"alice\", \"password\": \"a-good-password\"}");
    make("storages", "{\"name\": \"datasets\"}");
    make("groups", "{\"name\": \"lab\", \"storages\": [\"datasets\"]}");
    whole.token = signIn("alice");
    for (String name : List.of("hello", "train", "queue")) {
      make(
          "jobs", example(Description.ofV3(), "submitJob").replace("name: hello", "name: " + name));
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

  private void make(String what, String body) {
    assertThat(whole.send("POST", "/api/v3/" + what, body).statusCode()).isEqualTo(201);
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return Json.MAPPER.readTree(answer.body());
  }

  private static String example(Description description, String id) {
    return DescribedOperation.all(description).stream()
        .filter(it -> it.node().get("operationId").textValue().equals(id))
        .map(it -> body(description, it))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nativeApi_isAsDescribed() {
    Map<String, Integer> statuses = use(Description.ofV3());
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
  void openPaisApi_isAsDescribed() {
    Map<String, Integer> statuses = use(Description.ofOpenPai());
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

  /** What each operation answered, by its id. */
  private Map<String, Integer> use(Description description) {
    DescribedAnswer described = new DescribedAnswer(description);
    Map<String, Integer> statuses = new HashMap<>();
    DescribedOperation.all(description).stream()
        .sorted(
            Comparator.comparingInt(
                it -> (LAST.contains(id(it)) ? ORDER.size() : 0) + ORDER.indexOf(it.method())))
        .forEach(
            operation -> {
              HttpResponse<String> answer = send(description, operation);
              described.check(operation, answer);
              statuses.put(id(operation), answer.statusCode());
            });
    return statuses;
  }

  private static String id(DescribedOperation operation) {
    return operation.node().get("operationId").textValue();
  }

  private HttpResponse<String> send(Description description, DescribedOperation operation) {
    String path = operation.path();
    for (JsonNode parameter : operation.parameters()) {
      if (parameter.get("in").textValue().equals("path")) {
        path =
            path.replace(
                "{" + parameter.get("name").textValue() + "}", value(description, parameter));
      }
    }
    String body = body(description, operation);
    return whole.send(
        operation.method(),
        path,
        body,
        "Accept",
        "application/json",
        "Content-Type",
        type(description, operation));
  }

  private static String value(Description description, JsonNode parameter) {
    JsonNode schema = DescribedOperation.resolve(description.document(), parameter.get("schema"));
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

  private static JsonNode content(Description description, DescribedOperation operation) {
    return DescribedOperation.resolve(description.document(), operation.node().path("requestBody"))
        .path("content");
  }

  private static String type(Description description, DescribedOperation operation) {
    var types = content(description, operation).fieldNames();
    return types.hasNext() ? types.next() : "application/json";
  }

  private static String body(Description description, DescribedOperation operation) {
    JsonNode content = content(description, operation);
    if (content.isEmpty()) {
      return "";
    }
    JsonNode first = content.iterator().next();
    JsonNode schema = DescribedOperation.resolve(description.document(), first.get("schema"));
    JsonNode example = first.has("example") ? first.get("example") : schema.path("example");
    return example.isTextual()
        ? example.textValue()
        : example.isMissingNode() ? "{}" : example.toString();
  }
}
