package dev.trainyard.server;

import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Admission;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.http.WebServer;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Responds to requests while a server is on standby: to {@code /livez} with 200 and to all others
 * with 503, so that a load balancer sends requests only to the leader.
 */
final class StandbyServer implements AutoCloseable {
  private final WebServer web;
  private final URI url;
  private volatile String leaderName;

  private StandbyServer(WebConfig config, String leaderName, InstantSource clock) {
    this.leaderName = leaderName;
    this.web =
        new WebServer(
            config, token -> Optional.empty(), (method, route, status, took) -> {}, clock);
    web.add("GET", "/livez", Access.PUBLIC, request -> Map.of("status", "ok"));
    web.add("GET", "/healthz", Access.PUBLIC, request -> health());
    web.addForeign(
        "*",
        "/*",
        BodyLimit.GENERAL,
        Admission.OPEN,
        request -> unavailable(),
        failure -> unavailable());
    try {
      this.url = web.listen();
    } catch (RuntimeException e) {
      web.close();
      throw e;
    }
  }

  static StandbyServer listen(WebConfig config, String leaderName, InstantSource clock) {
    return new StandbyServer(config, leaderName, clock);
  }

  URI url() {
    return url;
  }

  /** Sets the current leader, which responses name. */
  void setLeader(String holder) {
    leaderName = holder;
  }

  /** Responds in the format of {@link dev.trainyard.server.status.HealthRoutes}. */
  private static Reply health() {
    return Reply.of(503, Map.of("status", "failing", "failing", "standby"));
  }

  private Reply unavailable() {
    Message text = Message.of("error.standby", "holder", leaderName);
    return Reply.of(
            503,
            Map.of(
                "code",
                ErrorCode.UNAVAILABLE.name(),
                "message",
                text.english(),
                "messageCode",
                text.code(),
                "params",
                text.params(),
                "problems",
                List.of()))
        .with("Retry-After", "5");
  }

  @Override
  public void close() {
    web.close();
  }
}
