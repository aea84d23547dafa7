package dev.trainyard.server.status;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;

/** {@code GET /api/v3/status}, for administrators. */
public final class StatusRoutes {
  private final StatusRegistry status;

  public StatusRoutes(StatusRegistry status) {
    this.status = status;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/status", Access.ADMIN, request -> status.view());
  }
}
