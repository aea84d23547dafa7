package dev.trainyard.engine;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * An additional command that runs in a task. It ends when the task ends at the latest. Closing it
 * early kills it together with all processes that it started, like the hangup of a terminal line.
 */
public interface Execution extends AutoCloseable {
  /** Returns the command's standard input. Closing it signals the end of the input. */
  OutputStream input();

  /** Returns the command's standard output; with a terminal this includes stderr. */
  InputStream output();

  /** Returns the command's stderr; always empty with a terminal. */
  InputStream errors();

  /** Changes the size of the terminal; has no effect without a terminal. */
  void resize(TerminalSize size);

  /** Completes with the exit code when the command ends; 128 + n after signal n. */
  CompletableFuture<Integer> exitCode();

  @Override
  void close();
}
