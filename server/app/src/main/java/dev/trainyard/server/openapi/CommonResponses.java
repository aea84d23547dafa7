package dev.trainyard.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds the error responses that all operations with the same properties may return, so that the
 * files need not repeat them. Responses that an operation describes itself take precedence.
 */
final class CommonResponses {
  /** Names of the access for all callers: in the native API and in OpenPAI's API. */
  private static final List<String> PUBLIC_ACCESS = List.of("PUBLIC", "OPEN");

  private CommonResponses() {}

  static void addTo(ObjectNode document) {
    for (var path : document.get("paths").properties()) {
      for (String method : OpenApiDocument.METHODS) {
        if (path.getValue().get(method) instanceof ObjectNode operation) {
          addResponses(operation, method, path.getKey(), path.getValue().path("parameters"));
        }
      }
    }
  }

  private static void addResponses(
      ObjectNode operation, String method, String path, JsonNode parameters) {
    boolean isPublic = PUBLIC_ACCESS.contains(operation.path("x-access").textValue());
    boolean changesState = !method.equals("get");
    boolean hasBody = operation.has("requestBody");
    Map<Integer, String> commonResponses = new TreeMap<>();
    if (hasBody || !parameters.isEmpty() || operation.has("parameters")) {
      commonResponses.put(400, "BadRequest");
    }
    if (!isPublic) {
      commonResponses.put(401, "SignInRequired");
    }
    // Requests from pages of other sites that change something are rejected for all callers.
    if (!isPublic || changesState) {
      commonResponses.put(403, "Forbidden");
    }
    if (path.contains("{")) {
      commonResponses.put(404, "NotFound");
    }
    if (changesState) {
      commonResponses.put(413, "TooLarge");
      commonResponses.put(507, "DiskFull");
    }
    commonResponses.put(429, "TooManyRequests");
    commonResponses.put(500, "Internal");
    commonResponses.put(503, "Unavailable");
    if (isPublic) {
      operation.set("security", operation.arrayNode());
    }
    ObjectNode responses = operation.withObjectProperty("responses");
    commonResponses.forEach(
        (status, name) -> {
          if (!responses.has(status.toString())) {
            responses.putObject(status.toString()).put("$ref", "#/components/responses/" + name);
          }
        });
    sort(responses);
  }

  /** Sorts the responses, successful ones first. */
  private static void sort(ObjectNode responses) {
    List<Map.Entry<String, JsonNode>> entries = new ArrayList<>(responses.properties());
    entries.sort(Map.Entry.comparingByKey(Comparator.naturalOrder()));
    responses.removeAll();
    entries.forEach(entry -> responses.set(entry.getKey(), entry.getValue()));
  }
}
