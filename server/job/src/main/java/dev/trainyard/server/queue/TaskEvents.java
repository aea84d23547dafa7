package dev.trainyard.server.queue;

import dev.trainyard.model.CompletionRule;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.event.EventType;
import dev.trainyard.server.event.NewEvent;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.Job;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Events about individual tasks. If a job has only one task, the start and the final end of the
 * task cause no events, because the events of the job contain the same information. If many tasks
 * start or end together, the first tasks get one event each and the other tasks are summarized as a
 * count, so that ten thousand tasks do not cause ten thousand rows. Has no state and no side
 * effects.
 */
final class TaskEvents {
  private static final int MAX_SINGLE_EVENTS = 20;

  private TaskEvents() {}

  static List<NewEvent> started(Job job, Collection<TaskId> tasks) {
    List<NewEvent> events = new ArrayList<>();
    if (job.taskCount() > 1) {
      tasks.stream()
          .sorted(Comparator.comparing(TaskId::role).thenComparingInt(TaskId::index))
          .limit(MAX_SINGLE_EVENTS)
          .map(
              task ->
                  event(
                      job,
                      task,
                      EventType.TASK_STARTED,
                      false,
                      taskMessage("event.task-started", task)))
          .forEach(events::add);
      addRest(events, job, EventType.TASK_STARTED, "event.tasks-started", tasks.size());
    }
    return events;
  }

  /**
   * Returns the events of ended tasks; failed tasks come first because they matter most to users.
   */
  static List<NewEvent> ended(Job job, JobSpec spec, List<AttemptStore.EndedTask> tasks) {
    List<NewEvent> events = new ArrayList<>();
    if (job.taskCount() > 1) {
      tasks.stream()
          .sorted(Comparator.comparing(TaskEvents::isFault).reversed())
          .limit(MAX_SINGLE_EVENTS)
          .map(
              task ->
                  event(
                      job, task.id(), EventType.TASK_ENDED, isFault(task), endMessage(spec, task)))
          .forEach(events::add);
      addRest(events, job, EventType.TASK_ENDED, "event.tasks-ended", tasks.size());
    }
    return events;
  }

  /**
   * Returns the events of tasks that ended and are retried individually, without a new attempt of
   * the job.
   */
  static List<NewEvent> retried(Job job, JobSpec spec, List<AttemptStore.EndedTask> tasks) {
    List<NewEvent> events = new ArrayList<>();
    tasks.stream()
        .limit(MAX_SINGLE_EVENTS)
        .map(
            task ->
                event(
                    job,
                    task.id(),
                    EventType.TASK_ENDED,
                    true,
                    Message.of("event.task-again", "retry", task.id().retry() + 1)
                        .with("end", endMessage(spec, task))))
        .forEach(events::add);
    addRest(events, job, EventType.TASK_ENDED, "event.tasks-again", tasks.size());
    return events;
  }

  private static boolean isFault(AttemptStore.EndedTask task) {
    return !task.end().succeeded() && task.end().reason() != ExitReason.STOPPED;
  }

  private static Message endMessage(JobSpec spec, AttemptStore.EndedTask task) {
    return task.end().succeeded()
        ? taskMessage("event.task-succeeded", task.id())
        : AttemptOutcome.endMessage(
            spec, new CompletionRule.EndedTask(task.id().role(), task.id().index(), task.end()));
  }

  private static Message taskMessage(String code, TaskId task) {
    return Message.of(code, "task", task.role() + "-" + task.index());
  }

  private static void addRest(
      List<NewEvent> events, Job job, EventType type, String code, int totalCount) {
    if (totalCount > MAX_SINGLE_EVENTS) {
      Message message = Message.of(code, "count", totalCount - MAX_SINGLE_EVENTS);
      events.add(NewEvent.of(job.id(), job.userId(), type, false, job.status().attempt(), message));
    }
  }

  private static NewEvent event(
      Job job, TaskId task, EventType type, boolean warning, Message message) {
    return NewEvent.of(job.id(), job.userId(), type, warning, task.attempt(), message)
        .ofTask(task.role(), task.index());
  }
}
