package dev.trainyard.server.queue;

import java.time.Duration;

/**
 * How the queue works.
 *
 * @param stopGrace between asking a task to end and ending it
 * @param tick how often the engine is asked for everything, in case an observation was missed
 */
public record QueueSettings(Duration stopGrace, Duration tick) {
  public static final QueueSettings DEFAULT =
      new QueueSettings(Duration.ofSeconds(30), Duration.ofSeconds(5));

  public QueueSettings withStopGrace(Duration grace) {
    return new QueueSettings(grace, tick);
  }
}
