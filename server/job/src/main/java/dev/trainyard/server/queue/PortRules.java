package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.PortRange;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import java.util.Optional;

/**
 * Rules for the ports that jobs may request.
 *
 * @param range range from which tasks get their ports
 * @param fixed ports outside this range that a job may request with {@code beginAt}, if an
 *     administrator allows any
 * @param maxPerJob maximum number of ports that the concurrently running tasks of one job may
 *     request in total
 */
public record PortRules(PortRange range, Optional<PortRange> fixed, int maxPerJob) {
  boolean allows(int port) {
    return contains(range, port)
        || fixed.filter(extraRange -> contains(extraRange, port)).isPresent();
  }

  /**
   * Returns whether all requested ports are allowed. Checks every port, because the two ranges need
   * not be adjacent.
   */
  private boolean allowsAll(PortRequest request) {
    for (long port = request.beginAt(); port < (long) request.beginAt() + request.count(); port++) {
      if (!allows((int) port)) {
        return false;
      }
    }
    return true;
  }

  private static boolean contains(PortRange range, int port) {
    return port >= range.first() && port <= range.last();
  }

  /**
   * Returns the reason why the requested ports of a job are rejected; empty if they are accepted.
   */
  Optional<Message> rejection(JobSpec spec) {
    long requestedPorts = 0;
    for (RoleSpec role : spec.roles()) {
      // Without gang scheduling, the planner limits how many tasks run at a time.
      long tasks = spec.extras().gangAllocation() ? role.taskCount() : 1;
      for (PortRequest request : role.ports()) {
        requestedPorts += tasks * request.count();
        if (request.beginAt() > 0 && !allowsAll(request)) {
          return Optional.of(
              Message.of("error.port-outside", "port", request.beginAt())
                  .with("from", range.first())
                  .with("to", range.last()));
        }
      }
    }
    return requestedPorts <= maxPerJob
        ? Optional.empty()
        : Optional.of(
            Message.of("error.too-many-ports", "asked", requestedPorts).with("most", maxPerJob));
  }
}
