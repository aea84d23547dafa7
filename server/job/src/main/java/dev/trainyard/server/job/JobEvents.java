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

/** Events for the changes of a job. Pure. */
final class JobEvents {
  /**
   * Maximum number of warnings stored as events; the response to the submission contains all of
   * them.
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
        .map(warning -> event(job, EventType.WARNING, true, warning(warning)))
        .forEach(events::add);
    return events;
  }

  private static Message warning(Problem problem) {
    return problem.path().isEmpty()
        ? problem.message()
        : Message.of("event.warning", "path", problem.path()).with("text", problem.message());
  }

  /**
   * @param because additional reason that the new state does not contain: how the attempt ended, or
   *     who requested the change
   */
  static NewEvent changed(Job from, JobStatus to, Optional<Message> because) {
    Job job = from.with(to);
    return switch (to.state()) {
      case PREPARING -> event(job, EventType.PREPARING, false, attempt("event.preparing", to));
      case RUNNING ->
          event(
              job,
              EventType.RUNNING,
              false,
              attempt("event.running", to).with("tasks", job.taskCount()));
      case STOPPING -> event(job, EventType.STOPPING, false, stopping(from.status(), to, because));
      case WAITING -> waiting(from, job, because);
      case PAUSED ->
          event(
              job, EventType.PAUSED, false, by(to.stoppedBy(), "event.paused-by", "event.paused"));
      case SUCCEEDED -> event(job, EventType.SUCCEEDED, false, ended("event.succeeded", to));
      case FAILED -> event(job, EventType.FAILED, true, ended("event.failed", to));
      case STOPPED -> event(job, EventType.STOPPED, false, ended("event.stopped", to));
    };
  }

  private static Message attempt(String code, JobStatus status) {
    return Message.of(code, "attempt", status.attempt());
  }

  private static Message stopping(JobStatus from, JobStatus to, Optional<Message> because) {
    // A missing stop request must not prevent the change, because events are only informative.
    StopRequest request = to.stop().orElse(StopRequest.ofThePlatform(StopCause.USER));
    boolean sooner =
        from.stop().map(StopRequest::cause).equals(Optional.of(request.cause()))
            && from.stoppedBy().equals(request.by());
    if (sooner && request.grace().isPresent()) {
      return Message.of("event.stopping-sooner", "seconds", request.grace().get().toSeconds());
    }
    boolean decided = request.cause() == StopCause.COMPLETION || request.cause() == StopCause.RETRY;
    Message why = Message.of("event.stopping", "why", request.why()).with("cause", request.cause());
    return decided && because.isPresent()
        ? new Message("event.stopping-because", why.params()).with("because", because.get())
        : why;
  }

  private static NewEvent waiting(Job from, Job job, Optional<Message> because) {
    if (from.state() == JobState.PAUSED) {
      return event(job, EventType.RESUMED, false, because.orElse(Message.of("event.resumed")));
    }
    RetryState retryState = job.status().retries();
    String code =
        switch (retryState.cause()) {
          case PREEMPTION -> "event.preempted";
          case PLATFORM_FAULT, CONFLICT -> "event.retrying-free";
          case FIRST, FAILURE, TASK_FAILURE, ALWAYS, RESUME -> "event.retrying";
        };
    Message message =
        attempt(code, job.status())
            .with("reason", because.orElse(Message.of("end.stopped")))
            .with("cause", retryState.cause())
            .with("seconds", retryState.backOff().toSeconds());
    boolean fault =
        switch (retryState.cause()) {
          case FAILURE, TASK_FAILURE, CONFLICT, PLATFORM_FAULT -> true;
          case FIRST, ALWAYS, RESUME, PREEMPTION -> false;
        };
    return event(job, EventType.RETRYING, fault, message);
  }

  private static Message by(Optional<String> user, String known, String unknown) {
    return user.map(name -> Message.of(known, "user", name)).orElse(Message.of(unknown));
  }

  private static Message ended(String code, JobStatus to) {
    Message message = Message.of(code, "reason", to.reason().orElse(Message.of("end.stopped")));
    return to.exitCode().isPresent() ? message.with("exitCode", to.exitCode().getAsInt()) : message;
  }

  private static NewEvent event(Job job, EventType type, boolean warning, Message message) {
    return NewEvent.of(job.id(), job.userId(), type, warning, job.status().attempt(), message);
  }
}
