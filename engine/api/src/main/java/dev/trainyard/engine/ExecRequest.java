package dev.trainyard.engine;

import java.util.List;
import java.util.Optional;

/**
 * A request to run an additional command in a task.
 *
 * @param command the program, which is looked up in the task's PATH, and its arguments
 * @param terminal the size of the terminal to allocate, or empty for plain streams
 */
public record ExecRequest(List<String> command, Optional<TerminalSize> terminal) {
  public ExecRequest {
    command = List.copyOf(command);
  }
}
