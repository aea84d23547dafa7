package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import java.time.Duration;
import java.util.Optional;

/**
 * That a job shall end.
 *
 * @param by name of the user who asked for it
 * @param grace how long its tasks may take; empty for the job's own or the server's
 */
public record StopRequest(StopCause cause, Optional<String> by, Optional<Duration> grace) {
  public static StopRequest ofThePlatform(StopCause cause) {
    return new StopRequest(cause, Optional.empty(), Optional.empty());
  }

  /** Why a job that is ending ends. */
  Message why() {
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
