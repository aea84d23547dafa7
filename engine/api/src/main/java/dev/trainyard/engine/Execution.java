package dev.trainyard.engine;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * An additional command that runs in a task. It ends at the latest when the task ends. Closing it
 * earlier kills the command and all processes that it started.
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

  /**
   * Returns a future that completes with the exit code when the command ends; the exit code is 128
   * + n after signal n.
   */
  CompletableFuture<Integer> exitCode();

  @Override
  void close();
}
