package dev.trainyard.server.job;

import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;

/**
 * Reads the tasks of an attempt in pages, in the order of the job file, because reading ten
 * thousand tasks at once would take too long for a request. The job file alone determines the
 * position of a task, so a page reads only its own rows.
 */
final class TaskPages {
  /** Number of tasks in the response for a job. */
  static final int DEFAULT_PAGE_SIZE = 500;

  /** Beyond this number of queries, one query for all tasks is faster. */
  private static final int MAX_QUERIES = 20;

  private final AttemptStore attempts;

  TaskPages(AttemptStore attempts) {
    this.attempts = attempts;
  }

  /**
   * A page of tasks.
   *
   * @param next offset of the next page; empty on the last page
   */
  record Page(List<Task> tasks, OptionalInt next) {}

  /**
   * @param roles the roles in the order of the job file
   */
  Page read(Handle handle, Job job, List<RoleSpec> roles, int attempt, int offset, int limit) {
    int total = roles.stream().mapToInt(RoleSpec::taskCount).sum();
    int end = (int) Math.min(total, (long) offset + limit);
    OptionalInt next = end < total ? OptionalInt.of(end) : OptionalInt.empty();
    List<Slice> slices = slices(roles, offset, end);
    if (slices.size() > MAX_QUERIES || (offset == 0 && end == total)) {
      Map<String, Integer> firstPositions = new HashMap<>();
      slices(roles, 0, total)
          .forEach(slice -> firstPositions.put(slice.role(), slice.firstPosition()));
      List<Task> tasks =
          attempts.list(handle, job.id(), attempt).stream()
              .filter(task -> isWithin(position(task, firstPositions), offset, end))
              .sorted(Comparator.comparingInt(task -> position(task, firstPositions)))
              .toList();
      return new Page(tasks, next);
    }
    List<Task> tasks = new ArrayList<>();
    for (Slice slice : slices) {
      tasks.addAll(
          attempts.list(handle, job.id(), attempt, slice.role(), slice.from(), slice.to()));
    }
    return new Page(tasks, next);
  }

  /**
   * A range of the tasks of a role.
   *
   * @param firstPosition position of the role's first task
   */
  private record Slice(String role, int firstPosition, int from, int to) {}

  private static List<Slice> slices(List<RoleSpec> roles, int offset, int end) {
    List<Slice> slices = new ArrayList<>();
    int firstPosition = 0;
    for (RoleSpec role : roles) {
      int from = Math.max(0, offset - firstPosition);
      int to = Math.min(role.taskCount(), end - firstPosition);
      if (from < to) {
        slices.add(new Slice(role.name(), firstPosition, from, to));
      }
      firstPosition += role.taskCount();
    }
    return slices;
  }

  private static int position(Task task, Map<String, Integer> firstPositions) {
    return firstPositions.getOrDefault(task.id().role(), 0) + task.id().index();
  }

  private static boolean isWithin(int position, int from, int to) {
    return position >= from && position < to;
  }

  /** Number of tasks of a role in a state. */
  record Count(String role, TaskState state, int tasks) {}

  /**
   * Returns the number of tasks of each role in each state; needs no query if the page contains all
   * tasks of the attempt.
   */
  Map<String, Map<TaskState, Integer>> counts(Handle handle, Job job, int attempt, Page page) {
    Map<String, Map<TaskState, Integer>> counts = new LinkedHashMap<>();
    if (page.next().isEmpty()) {
      for (Task task : page.tasks()) {
        add(counts, new Count(task.id().role(), task.state(), 1));
      }
    } else {
      attempts.count(handle, job.id(), attempt).forEach(count -> add(counts, count));
    }
    return counts;
  }

  private static void add(Map<String, Map<TaskState, Integer>> counts, Count count) {
    counts
        .computeIfAbsent(count.role(), _ -> new LinkedHashMap<>())
        .merge(count.state(), count.tasks(), Integer::sum);
  }
}
