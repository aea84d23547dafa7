package dev.trainyard.engine;

import java.util.List;
import java.util.Optional;

/**
 * A command to be run beside a task's own.
 *
 * @param command the program, looked for in the task's PATH, and its arguments
 * @param terminal the size of the terminal it gets, or empty for plain streams
 */
public record ExecRequest(List<String> command, Optional<TerminalSize> terminal) {
  public ExecRequest {
    command = List.copyOf(command);
  }
}
