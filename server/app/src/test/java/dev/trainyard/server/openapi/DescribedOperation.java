package dev.trainyard.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An operation of an OpenAPI document.
 *
 * @param path path with parameters in the form {@code {name}}
 * @param parameters parameters of the operation and of its path item, with references resolved
 */
record DescribedOperation(String method, String path, JsonNode node, List<JsonNode> parameters) {
  static List<DescribedOperation> all(OpenApiDocument openApiDocument) {
    JsonNode document = openApiDocument.document();
    List<DescribedOperation> all = new ArrayList<>();
    for (var path : document.get("paths").properties()) {
      for (String method : OpenApiDocument.METHODS) {
        JsonNode node = path.getValue().get(method);
        if (node != null) {
          List<JsonNode> parameters = new ArrayList<>();
          path.getValue().path("parameters").forEach(it -> parameters.add(resolve(document, it)));
          node.path("parameters").forEach(it -> parameters.add(resolve(document, it)));
          all.add(
              new DescribedOperation(
                  method.toUpperCase(Locale.ROOT), path.getKey(), node, parameters));
        }
      }
    }
    return all;
  }

  static JsonNode resolve(JsonNode document, JsonNode node) {
    JsonNode reference = node.get("$ref");
    return reference == null
        ? node
        : resolve(document, document.at(reference.textValue().substring(1)));
  }

  /** Returns all paths of the operation in the notation of routes. */
  List<String> routes() {
    List<String> routes = new ArrayList<>(List.of(route(path)));
    node.path("x-also").forEach(other -> routes.add(route(other.textValue())));
    return routes;
  }

  private String route(String address) {
    return method + " " + address.replaceAll("\\{(\\w+)}", ":$1");
  }

  String access() {
    return node.path("x-access").asText();
  }

  List<String> parametersIn(String place) {
    return parameters.stream()
        .filter(it -> it.get("in").textValue().equals(place))
        .map(it -> it.get("name").textValue())
        .toList();
  }
}
