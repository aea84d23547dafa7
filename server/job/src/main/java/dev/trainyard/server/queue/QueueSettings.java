package dev.trainyard.server.queue;

import dev.trainyard.model.PortRange;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the queue.
 *
 * @param stopGrace default grace period: the time between the request to end a task and killing the
 *     task
 * @param ports rules for the ports of tasks
 * @param tick interval at which the engine's state is read in full, in case an observation was
 *     missed
 */
public record QueueSettings(Duration stopGrace, PortRules ports, Duration tick) {
  private static final int DEFAULT_PORTS_PER_JOB = 1_000;

  public static final QueueSettings DEFAULT =
      new QueueSettings(
          Duration.ofSeconds(30), new PortRange(20_000, 29_999), Duration.ofSeconds(5));

  QueueSettings(Duration stopGrace, PortRange ports, Duration tick) {
    this(stopGrace, new PortRules(ports, Optional.empty(), DEFAULT_PORTS_PER_JOB), tick);
  }

  public QueueSettings withStopGrace(Duration grace) {
    return new QueueSettings(grace, ports, tick);
  }

  /**
   * @param range range from which tasks get their ports
   * @param fixed ports outside the range that jobs may request
   * @param maxPortsPerJob maximum number of ports that one job may request
   */
  public QueueSettings withPorts(PortRange range, Optional<PortRange> fixed, int maxPortsPerJob) {
    return new QueueSettings(stopGrace, new PortRules(range, fixed, maxPortsPerJob), tick);
  }
}
