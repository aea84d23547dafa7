package dev.trainyard.server.http;

import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes connections on which no request is under way for too long, be they silent or sending a
 * request's head byte by byte. A stream that has nothing to say is under way and stays.
 * Thread-safe.
 */
final class IdleConnections {
  private final long patience;
  private final Map<HttpConnection, State> states = new ConcurrentHashMap<>();

  private static final class State {
    private final AtomicInteger requests = new AtomicInteger();
    private volatile long idleSince = System.nanoTime();
  }

  IdleConnections(Duration patience) {
    this.patience = patience.toNanos();
  }

  void opened(HttpConnection connection) {
    states.put(connection, new State());
    connection.closeHandler(closed -> states.remove(connection));
  }

  void requestBegins(HttpConnection connection) {
    State state = states.get(connection);
    if (state != null) {
      state.requests.incrementAndGet();
    }
  }

  void requestEnds(HttpConnection connection) {
    State state = states.get(connection);
    if (state != null) {
      state.idleSince = System.nanoTime();
      state.requests.decrementAndGet();
    }
  }

  int open() {
    return states.size();
  }

  void closeStale() {
    long now = System.nanoTime();
    states.forEach(
        (connection, state) -> {
          if (state.requests.get() == 0 && now - state.idleSince > patience) {
            connection.close();
          }
        });
  }
}
