package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Admission;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Routes;
import java.util.ArrayList;
import java.util.List;

/**
 * OpenPAI's API with all its paths. The operations come from {@link Source}s; for all other paths,
 * the response is OpenPAI's error.
 */
public final class OpenPaiRoutes {
  /** Prefixes of every path. */
  static final List<String> ROOTS = List.of("", "/rest-server");

  private final List<Operation> operations = new ArrayList<>();

  /** A part of the API. */
  @FunctionalInterface
  interface Source {
    List<Operation> operations();
  }

  OpenPaiRoutes(List<Source> sources) {
    sources.forEach(source -> operations.addAll(source.operations()));
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  public void addTo(Routes routes) {
    for (String root : ROOTS) {
      for (Operation.Version version : Operation.Version.values()) {
        String all = root + version.base() + "/*";
        routes.addForeign(
            "OPTIONS",
            all,
            BodyLimit.GENERAL,
            Admission.OPEN,
            Cors::preflight,
            OpenPaiErrors::reply);
      }
    }
    operations.forEach(operation -> operation.addTo(routes));
    for (String root : ROOTS) {
      for (Operation.Version version : Operation.Version.values()) {
        routes.addForeign(
            "*",
            root + version.base() + "/*",
            BodyLimit.GENERAL,
            Admission.OPEN,
            request ->
                OpenPaiErrors.reply(
                    new PaiException(404, "NoApiError", "API " + request.uri() + " is not found.")),
            OpenPaiErrors::reply);
      }
    }
  }
}
