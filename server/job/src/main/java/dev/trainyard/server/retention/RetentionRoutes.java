package dev.trainyard.server.retention;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.function.Consumer;

/**
 * {@code /api/v3/cleanup}, for administrators: GET returns how much data would be deleted, POST
 * deletes the data now.
 */
public final class RetentionRoutes {
  private final Retention retention;
  private final Consumer<Actor> recordStart;

  /**
   * @param recordStart receives the user who requested the deletion, before anything is deleted
   */
  public RetentionRoutes(Retention retention, Consumer<Actor> recordStart) {
    this.retention = retention;
    this.recordStart = recordStart;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/cleanup", Access.ADMIN, request -> retention.preview());
    routes.add("POST", "/api/v3/cleanup", Access.ADMIN, this::sweep);
  }

  private Object sweep(Request request) {
    if (!retention.mayDelete()) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.cleanup-clock"));
    }
    recordStart.accept(Actor.of(request));
    return retention.sweep();
  }
}
