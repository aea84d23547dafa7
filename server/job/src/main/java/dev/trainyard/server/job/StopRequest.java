package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import java.time.Duration;
import java.util.Optional;

/**
 * A request to stop a job.
 *
 * @param by name of the user who requested the stop; empty for a stop by the platform
 * @param grace grace period of the job's tasks; if empty, the grace period of the job or the server
 *     applies
 */
public record StopRequest(StopCause cause, Optional<String> by, Optional<Duration> grace) {
  public static StopRequest ofPlatform(StopCause cause) {
    return new StopRequest(cause, Optional.empty(), Optional.empty());
  }

  /** Returns the reason shown for a stopping job. */
  Message reason() {
    return switch (cause) {
      case USER ->
          by.map(user -> Message.of("end.stopping-by", "user", user))
              .orElse(Message.of("end.stopping"));
      case PAUSE ->
          by.map(user -> Message.of("end.pausing-by", "user", user))
              .orElse(Message.of("end.pausing"));
      case COMPLETION -> Message.of("end.completing");
      case RETRY -> Message.of("end.retrying");
      case PREEMPTION -> Message.of("end.preempting");
      case WALL_TIME, IDLE -> Message.of("end.stopping");
    };
  }
}
