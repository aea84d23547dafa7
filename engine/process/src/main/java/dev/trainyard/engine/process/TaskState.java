package dev.trainyard.engine.process;

import java.util.List;
import java.util.Optional;

/**
 * The progress of a task, recorded by its supervisor, its shell and finally the server, each by
 * appending a line to one file. A line of more than one word ends with a dot; without it the line
 * is ignored. The file is never empty, so that appending needs no additional block on a full disk.
 *
 * @param supervisor empty until it has started
 * @param started whether the task's shell has started
 * @param end empty until the task has ended
 */
record TaskState(
    Optional<TaskDirectory.Supervisor> supervisor, boolean started, Optional<EndRecord> end) {
  static final String BEGINNING = "reserved\n";
  static final String END = "end ";
  private static final String SUPERVISOR = "supervisor ";
  private static final String STARTED = "started";

  static TaskState parse(String text) {
    Optional<TaskDirectory.Supervisor> supervisor = Optional.empty();
    boolean started = false;
    Optional<EndRecord> end = Optional.empty();
    int whole = text.lastIndexOf('\n') + 1;
    for (String line : text.substring(0, whole).lines().toList()) {
      if (line.equals(STARTED)) {
        started = true;
      } else if (line.startsWith(SUPERVISOR) && supervisor.isEmpty()) {
        supervisor = supervisor(List.of(line.split(" ", -1)));
      } else if (line.startsWith(END) && end.isEmpty()) {
        end = EndRecord.parse(line.substring(END.length()));
      }
    }
    return new TaskState(supervisor, started, end);
  }

  private static Optional<TaskDirectory.Supervisor> supervisor(List<String> words) {
    if (words.size() != 7 || !words.getLast().equals(".")) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TaskDirectory.Supervisor(
              Integer.parseInt(words.get(1)),
              Long.parseLong(words.get(2)),
              words.get(3),
              Integer.parseInt(words.get(4)),
              Integer.parseInt(words.get(5))));
    } catch (NumberFormatException e) {
      return Optional.empty(); // not written by a supervisor
    }
  }
}
