package dev.trainyard.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Responses that every operation of a kind may return, so that they need not be repeated in each
 * file. Responses that an operation describes itself take precedence.
 */
final class CommonResponses {
  /** Access for all callers; also the name of the guard of OpenPAI's operations. */
  private static final List<String> OPEN = List.of("PUBLIC", "OPEN");

  private CommonResponses() {}

  static void addTo(ObjectNode document) {
    for (var path : document.get("paths").properties()) {
      for (String method : OpenApiDocument.METHODS) {
        if (path.getValue().get(method) instanceof ObjectNode operation) {
          describe(operation, method, path.getKey(), path.getValue().path("parameters"));
        }
      }
    }
  }

  private static void describe(
      ObjectNode operation, String method, String path, JsonNode parameters) {
    boolean open = OPEN.contains(operation.path("x-access").textValue());
    boolean changes = !method.equals("get");
    boolean body = operation.has("requestBody");
    Map<Integer, String> implied = new TreeMap<>();
    if (body || !parameters.isEmpty() || operation.has("parameters")) {
      implied.put(400, "BadRequest");
    }
    if (!open) {
      implied.put(401, "SignInRequired");
    }
    // Requests that change something are rejected from pages of other sites for every caller.
    if (!open || changes) {
      implied.put(403, "Forbidden");
    }
    if (path.contains("{")) {
      implied.put(404, "NotFound");
    }
    if (changes) {
      implied.put(413, "TooLarge");
      implied.put(507, "DiskFull");
    }
    implied.put(429, "TooManyRequests");
    implied.put(500, "Internal");
    implied.put(503, "Unavailable");
    if (open) {
      operation.set("security", operation.arrayNode());
    }
    ObjectNode responses = operation.withObjectProperty("responses");
    implied.forEach(
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
