package dev.trainyard.server.http;

import java.time.Duration;

/** Is told of every answered request, for metrics. */
@FunctionalInterface
public interface RequestObserver {
  /**
   * @param route the pattern of the route, not the path, so that there are few
   */
  void answered(String method, String route, int status, Duration took);
}
