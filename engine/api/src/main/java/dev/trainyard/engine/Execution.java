package dev.trainyard.engine;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * A command that runs beside a task's own. It ends with the task at the latest, and closing it
 * early kills it with all it started (as hanging up a telephone line does).
 */
public interface Execution extends AutoCloseable {
  /** What the command reads. Closing it is the end of its input. */
  OutputStream input();

  /** What it prints; with a terminal also what it says to stderr. */
  InputStream output();

  /** What it says to stderr; with a terminal nothing. */
  InputStream errors();

  /** The terminal has another size now; without one this does nothing. */
  void resize(TerminalSize size);

  /** Its exit code, once it is over; 128 + n after signal n. */
  CompletableFuture<Integer> exitCode();

  @Override
  void close();
}
