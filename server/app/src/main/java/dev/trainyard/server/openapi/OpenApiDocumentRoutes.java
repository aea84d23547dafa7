package dev.trainyard.server.openapi;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * {@code /api/v3/openapi.json} and related documents, and the page that shows them. These documents
 * are public because they are the same for every installation.
 */
public final class OpenApiDocumentRoutes {
  static final String V3 = "/api/v3/openapi";

  /**
   * Path of the document of OpenPAI's API; it is outside the paths of that API, so that it cannot
   * collide with any of them.
   */
  static final String OPENPAI = "/api/v3/openapi/openpai";

  public void addTo(Routes routes) {
    add(routes, V3, OpenApiDocument::ofV3);
    add(routes, OPENPAI, OpenApiDocument::ofOpenPai);
    new ApiPageRoutes().addTo(routes);
  }

  private static void add(Routes routes, String address, Supplier<OpenApiDocument> description) {
    CachedResource json = new CachedResource("application/json", () -> description.get().json());
    CachedResource yaml =
        new CachedResource(
            "application/yaml; charset=utf-8",
            () -> description.get().yaml().getBytes(StandardCharsets.UTF_8));
    routes.add("GET", address + ".json", Access.PUBLIC, json::reply);
    routes.add("GET", address + ".yaml", Access.PUBLIC, yaml::reply);
  }
}
