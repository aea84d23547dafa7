package dev.trainyard.server.http;

import java.time.Duration;

/** Receives a callback for every completed request; used for metrics. */
@FunctionalInterface
public interface RequestObserver {
  /**
   * @param route the pattern of the route, not the path, to limit the number of distinct values
   */
  void completed(String method, String route, int status, Duration duration);
}
