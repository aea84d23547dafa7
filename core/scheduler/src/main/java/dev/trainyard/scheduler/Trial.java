package dev.trainyard.scheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * What would come of starting a job now.
 *
 * @param tasks that can start; empty if none can
 * @param rooms what is left of the machines then
 * @param limiting the limit that does not let all of it start; null if none does
 * @param machinesAreFull whether there is no place for something that the limits would allow
 */
record Trial(
    List<TaskPlacement> tasks,
    List<Room> rooms,
    QuotaBook.Limiting limiting,
    boolean machinesAreFull) {

  /**
   * @param rest what of the job has not had its place yet
   * @param begun which tasks are not of the rest
   * @param typed whether the types of cards are limited
   */
  static Trial of(
      QueuedJob rest, Begun begun, List<Room> rooms, QuotaBook.Trial limits, boolean typed) {
    QuotaBook.Affordable affordable = limits.affordable(rest, rest.roles());
    boolean notAll = affordable.limiting() != null;
    if (affordable.demands().isEmpty() || (rest.gang() && notAll)) {
      return new Trial(List.of(), rooms, affordable.limiting(), false);
    }
    QueuedJob wanted = rest.with(affordable.demands());
    List<Room> left = Room.copies(rooms);
    List<TaskPlacement> tasks = place(wanted, begun, left);
    if (typed && !tasks.isEmpty()) {
      Trial other = withinTypes(wanted, begun, rooms, limits, tasks);
      if (other != null) {
        return other;
      }
    }
    return new Trial(tasks, left, affordable.limiting(), tasks.size() < wanted.tasks());
  }

  private static List<TaskPlacement> place(QueuedJob wanted, Begun begun, List<Room> rooms) {
    return wanted.gang()
        ? Gang.place(wanted, rooms).orElse(List.of())
        : Gang.placeSome(wanted, begun, rooms);
  }

  /**
   * A job that takes any card was given some of a type of which no more may be used. Null if that
   * is not so; else what comes of trying without that type.
   */
  private static Trial withinTypes(
      QueuedJob wanted,
      Begun begun,
      List<Room> rooms,
      QuotaBook.Trial limits,
      List<TaskPlacement> first) {
    List<String> exceeded = limits.exceededTypes(wanted, first);
    if (exceeded.isEmpty()) {
      return null;
    }
    QuotaBook.Limiting limiting = limits.limiting(wanted, first);
    List<TaskPlacement> tasks = first;
    if (!wanted.gang()) {
      tasks = new ArrayList<>(first);
      while (!tasks.isEmpty() && !limits.exceededTypes(wanted, tasks).isEmpty()) {
        tasks.removeLast();
      }
    }
    if (wanted.gang() || tasks.isEmpty()) {
      List<Room> others =
          rooms.stream()
              .map(room -> room.without(card -> exceeded.stream().anyMatch(card::isOfType)))
              .toList();
      tasks = place(wanted, begun, others);
      if (!limits.exceededTypes(wanted, tasks).isEmpty()) {
        tasks = List.of();
      }
    }
    List<Room> left = Room.copies(rooms);
    for (TaskPlacement task : tasks) {
      left.stream().filter(room -> room.node().equals(task.node())).forEach(it -> it.give(task));
    }
    boolean whole = tasks.size() == wanted.tasks();
    return new Trial(tasks, left, whole ? null : limiting, false);
  }
}
