package dev.trainyard.cli.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Raw mode of the terminal at standard input while a remote program uses the terminal: all keys,
 * including Ctrl-C, are sent to that program, and there is no local echo. The previous mode is
 * restored in all cases except SIGKILL.
 */
public final class RawMode implements AutoCloseable {
  private final String previousSettings;
  private final Thread hook = new Thread(this::restore, "terminal");
  private final AtomicBoolean restored = new AtomicBoolean();

  private RawMode(String previousSettings) {
    this.previousSettings = previousSettings;
  }

  /** Width and height of a terminal in characters. */
  public record Size(int columns, int rows) {}

  /** Returns the size; empty if standard input is not a terminal or its size is unknown. */
  public static Optional<Size> size() {
    try {
      String[] sizeWords = stty("size").split(" ", -1);
      return sizeWords.length == 2
          ? Optional.of(new Size(Integer.parseInt(sizeWords[1]), Integer.parseInt(sizeWords[0])))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Switches the terminal to raw mode. */
  public static RawMode enter() throws IOException {
    RawMode mode = new RawMode(stty("-g"));
    Runtime.getRuntime().addShutdownHook(mode.hook);
    stty("raw", "-echo");
    return mode;
  }

  private void restore() {
    if (restored.compareAndSet(false, true)) {
      try {
        stty(previousSettings);
      } catch (IOException e) {
        // The terminal no longer exists.
      }
    }
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The shutdown is already in progress.
    }
  }

  private static String stty(String... args) throws IOException {
    String[] command = new String[args.length + 1];
    command[0] = "stty";
    System.arraycopy(args, 0, command, 1, args.length);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      if (process.waitFor() != 0) {
        throw new IOException("stty failed");
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
