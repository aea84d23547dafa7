package dev.trainyard.engine.process;

import java.util.List;
import java.util.Optional;

/**
 * The progress of a task. The supervisor, the task's shell and, if the supervisor is lost, the
 * server record it by appending lines to one file. A line of more than one word ends with a dot; a
 * line without the dot is ignored. The file is never empty, so that appending needs no additional
 * block on a full disk.
 *
 * @param supervisor empty until it has started
 * @param started whether the task's shell has started
 * @param end empty until the task has ended
 */
record TaskState(
    Optional<TaskDirectory.Supervisor> supervisor, boolean started, Optional<EndRecord> end) {
  static final String INITIAL_CONTENT = "reserved\n";
  static final String END_PREFIX = "end ";
  private static final String SUPERVISOR_PREFIX = "supervisor ";
  private static final String STARTED_LINE = "started";

  static TaskState parse(String text) {
    Optional<TaskDirectory.Supervisor> supervisor = Optional.empty();
    boolean started = false;
    Optional<EndRecord> end = Optional.empty();
    int completeLength = text.lastIndexOf('\n') + 1;
    for (String line : text.substring(0, completeLength).lines().toList()) {
      if (line.equals(STARTED_LINE)) {
        started = true;
      } else if (line.startsWith(SUPERVISOR_PREFIX) && supervisor.isEmpty()) {
        supervisor = parseSupervisor(List.of(line.split(" ", -1)));
      } else if (line.startsWith(END_PREFIX) && end.isEmpty()) {
        end = EndRecord.parse(line.substring(END_PREFIX.length()));
      }
    }
    return new TaskState(supervisor, started, end);
  }

  private static Optional<TaskDirectory.Supervisor> parseSupervisor(List<String> fields) {
    if (fields.size() != 7 || !fields.getLast().equals(".")) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TaskDirectory.Supervisor(
              Integer.parseInt(fields.get(1)),
              Long.parseLong(fields.get(2)),
              fields.get(3),
              Integer.parseInt(fields.get(4)),
              Integer.parseInt(fields.get(5))));
    } catch (NumberFormatException e) {
      return Optional.empty(); // the line was not written by a supervisor
    }
  }
}
