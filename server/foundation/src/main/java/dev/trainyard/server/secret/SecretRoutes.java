package dev.trainyard.server.secret;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code POST /api/v3/secrets/rotate}, for administrators. No route ever returns a secret. */
public final class SecretRoutes {
  private final KeyRotation rotation;

  public SecretRoutes(KeyRotation rotation) {
    this.rotation = rotation;
  }

  public void addTo(Routes routes) {
    routes.add("POST", "/api/v3/secrets/rotate", Access.ADMIN, this::rotate);
  }

  private Object rotate(Request request) {
    KeyRotation.Report report = rotation.rotate(Actor.of(request));
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("key", report.key());
    response.put("resealed", report.reencrypted());
    response.put("unreadable", report.unreadable());
    response.put("droppedKeys", report.deletedKeys());
    return response;
  }
}
