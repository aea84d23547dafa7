package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.PortRange;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import java.util.Optional;

/**
 * Which ports jobs may ask for.
 *
 * @param range from which tasks get their ports
 * @param fixed ports outside this range that a job may name with {@code beginAt}, if an
 *     administrator allows any
 * @param mostPerJob ports that the tasks of one job that run at the same time may ask for in total
 */
public record PortRules(PortRange range, Optional<PortRange> fixed, int mostPerJob) {
  boolean allows(int port) {
    return contains(range, port) || fixed.filter(more -> contains(more, port)).isPresent();
  }

  /** Every port counts because the two ranges need not be adjacent. */
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

  /** Returns why a job is not accepted because of the ports it asks for; empty if it is. */
  Optional<Message> refusal(JobSpec spec) {
    long asked = 0;
    for (RoleSpec role : spec.roles()) {
      // Tasks that start one by one: the planner runs as many at a time as the limit allows.
      long tasks = spec.extras().gangAllocation() ? role.taskCount() : 1;
      for (PortRequest request : role.ports()) {
        asked += tasks * request.count();
        if (request.beginAt() > 0 && !allowsAll(request)) {
          return Optional.of(
              Message.of("error.port-outside", "port", request.beginAt())
                  .with("from", range.first())
                  .with("to", range.last()));
        }
      }
    }
    return asked <= mostPerJob
        ? Optional.empty()
        : Optional.of(Message.of("error.too-many-ports", "asked", asked).with("most", mostPerJob));
  }
}
