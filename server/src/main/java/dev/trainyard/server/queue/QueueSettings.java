package dev.trainyard.server.queue;

import dev.trainyard.model.PortRange;
import java.time.Duration;

/**
 * How the queue works.
 *
 * @param stopGrace between asking a task to end and ending it
 * @param ports from which tasks get theirs
 * @param tick how often the engine is asked for everything, in case an observation was missed
 */
public record QueueSettings(Duration stopGrace, PortRange ports, Duration tick) {
  public static final QueueSettings DEFAULT =
      new QueueSettings(
          Duration.ofSeconds(30), new PortRange(20_000, 29_999), Duration.ofSeconds(5));

  public QueueSettings withStopGrace(Duration grace) {
    return new QueueSettings(grace, ports, tick);
  }

  public QueueSettings withPorts(PortRange range) {
    return new QueueSettings(stopGrace, range, tick);
  }
}
