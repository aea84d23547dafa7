package dev.trainyard.engine.process;

import java.util.List;
import java.util.Optional;

/**
 * How far a task is, as its supervisor, its own shell and at the last the server write it down,
 * each a line at the end of one file. A line that says more than one word ends with a dot, without
 * which it does not count. The file is not empty from the beginning: then what is added needs no
 * more room on a full disk.
 *
 * @param supervisor empty until it has begun
 * @param started whether the task's own shell has begun
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
      return Optional.empty(); // no supervisor of ours wrote this
    }
  }
}
