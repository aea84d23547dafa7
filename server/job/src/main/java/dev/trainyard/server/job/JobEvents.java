package dev.trainyard.server.job;

import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.StopCause;
import dev.trainyard.server.event.EventType;
import dev.trainyard.server.event.NewEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates the events for the changes of a job. Has no state and no side effects. */
final class JobEvents {
  /**
   * Maximum number of warnings stored as events; the response to the submission contains all
   * warnings.
   */
  private static final int MAX_WARNINGS = 20;

  private JobEvents() {}

  static List<NewEvent> submitted(Job job, List<Problem> warnings) {
    List<NewEvent> events = new ArrayList<>();
    events.add(
        event(
            job,
            EventType.SUBMITTED,
            false,
            Message.of("event.submitted", "user", job.userName())));
    warnings.stream()
        .limit(MAX_WARNINGS)
        .map(warning -> event(job, EventType.WARNING, true, warningMessage(warning)))
        .forEach(events::add);
    return events;
  }

  private static Message warningMessage(Problem problem) {
    return problem.path().isEmpty()
        ? problem.message()
        : Message.of("event.warning", "path", problem.path()).with("text", problem.message());
  }

  /**
   * @param additionalReason additional reason that the new status does not contain: how the attempt
   *     ended, or who requested the change
   */
  static NewEvent changed(Job from, JobStatus to, Optional<Message> additionalReason) {
    Job job = from.with(to);
    return switch (to.state()) {
      case PREPARING ->
          event(job, EventType.PREPARING, false, attemptMessage("event.preparing", to));
      case RUNNING ->
          event(
              job,
              EventType.RUNNING,
              false,
              attemptMessage("event.running", to).with("tasks", job.taskCount()));
      case STOPPING ->
          event(
              job, EventType.STOPPING, false, stoppingMessage(from.status(), to, additionalReason));
      case WAITING -> waitingEvent(from, job, additionalReason);
      case PAUSED ->
          event(
              job,
              EventType.PAUSED,
              false,
              userMessage(to.stoppedBy(), "event.paused-by", "event.paused"));
      case SUCCEEDED -> event(job, EventType.SUCCEEDED, false, endMessage("event.succeeded", to));
      case FAILED -> event(job, EventType.FAILED, true, endMessage("event.failed", to));
      case STOPPED -> event(job, EventType.STOPPED, false, endMessage("event.stopped", to));
    };
  }

  private static Message attemptMessage(String code, JobStatus status) {
    return Message.of(code, "attempt", status.attempt());
  }

  private static Message stoppingMessage(
      JobStatus from, JobStatus to, Optional<Message> additionalReason) {
    // A missing stop request must not prevent the change, because events are only informative.
    StopRequest request = to.stop().orElse(StopRequest.ofPlatform(StopCause.USER));
    boolean shortensGrace =
        from.stop().map(StopRequest::cause).equals(Optional.of(request.cause()))
            && from.stoppedBy().equals(request.by());
    if (shortensGrace && request.grace().isPresent()) {
      return Message.of("event.stopping-sooner", "seconds", request.grace().get().toSeconds());
    }
    boolean outcomeDecided =
        request.cause() == StopCause.COMPLETION || request.cause() == StopCause.RETRY;
    Message message =
        Message.of("event.stopping", "why", request.reason()).with("cause", request.cause());
    return outcomeDecided && additionalReason.isPresent()
        ? new Message("event.stopping-because", message.params())
            .with("because", additionalReason.get())
        : message;
  }

  private static NewEvent waitingEvent(Job from, Job job, Optional<Message> additionalReason) {
    if (from.state() == JobState.PAUSED) {
      return event(
          job, EventType.RESUMED, false, additionalReason.orElse(Message.of("event.resumed")));
    }
    RetryState retryState = job.status().retries();
    String code =
        switch (retryState.cause()) {
          case PREEMPTION -> "event.preempted";
          case PLATFORM_FAULT, CONFLICT -> "event.retrying-free";
          case FIRST, FAILURE, TASK_FAILURE, ALWAYS, RESUME -> "event.retrying";
        };
    Message message =
        attemptMessage(code, job.status())
            .with("reason", additionalReason.orElse(Message.of("end.stopped")))
            .with("cause", retryState.cause())
            .with("seconds", retryState.backOff().toSeconds());
    boolean isFault =
        switch (retryState.cause()) {
          case FAILURE, TASK_FAILURE, CONFLICT, PLATFORM_FAULT -> true;
          case FIRST, ALWAYS, RESUME, PREEMPTION -> false;
        };
    return event(job, EventType.RETRYING, isFault, message);
  }

  private static Message userMessage(
      Optional<String> user, String codeWithUser, String codeWithoutUser) {
    return user.map(name -> Message.of(codeWithUser, "user", name))
        .orElse(Message.of(codeWithoutUser));
  }

  private static Message endMessage(String code, JobStatus to) {
    Message message = Message.of(code, "reason", to.reason().orElse(Message.of("end.stopped")));
    return to.exitCode().isPresent() ? message.with("exitCode", to.exitCode().getAsInt()) : message;
  }

  private static NewEvent event(Job job, EventType type, boolean warning, Message message) {
    return NewEvent.of(job.id(), job.userId(), type, warning, job.status().attempt(), message);
  }
}
