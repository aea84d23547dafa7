package dev.trainyard.server.queue;

import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tasks of one attempt and how they ended, in that order. Thread-safe. */
final class AttemptTasks {
  private final Map<TaskId, Task> all = new LinkedHashMap<>();
  private final Map<TaskId, TaskEnd> ended = new LinkedHashMap<>();

  /**
   * @param all the ended ones first, in the order in which they ended
   */
  AttemptTasks(List<Task> all) {
    for (Task task : all) {
      this.all.put(task.id(), task);
      task.end().ifPresent(end -> ended.put(task.id(), end));
    }
  }

  List<Task> all() {
    return List.copyOf(all.values());
  }

  synchronized List<Task> left() {
    return all.values().stream().filter(task -> !ended.containsKey(task.id())).toList();
  }

  synchronized boolean isLeft(TaskId id) {
    return all.containsKey(id) && !ended.containsKey(id);
  }

  synchronized int endedCount() {
    return ended.size();
  }

  /** All ends, with these as the newest. */
  synchronized List<EndedTask> endedWith(Map<TaskId, TaskEnd> more) {
    List<EndedTask> list = new ArrayList<>();
    ended.forEach((id, end) -> list.add(new EndedTask(id.role(), id.index(), end)));
    more.forEach((id, end) -> list.add(new EndedTask(id.role(), id.index(), end)));
    return list;
  }

  /** To be called when these ends are durable. */
  synchronized void recorded(Map<TaskId, TaskEnd> ends) {
    ended.putAll(ends);
  }
}
