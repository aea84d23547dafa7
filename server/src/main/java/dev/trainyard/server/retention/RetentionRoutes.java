package dev.trainyard.server.retention;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;

/** {@code /api/v3/cleanup}, for administrators: GET says what would go, POST lets it go now. */
public final class RetentionRoutes {
  private final Retention retention;

  public RetentionRoutes(Retention retention) {
    this.retention = retention;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/cleanup", Access.ADMIN, request -> retention.preview());
    routes.add("POST", "/api/v3/cleanup", Access.ADMIN, this::sweep);
  }

  private Object sweep(Request request) {
    if (!retention.mayDelete()) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.cleanup-clock"));
    }
    return retention.sweep();
  }
}
