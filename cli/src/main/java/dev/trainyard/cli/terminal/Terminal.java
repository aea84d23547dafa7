package dev.trainyard.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/**
 * Output of the command line: standard output, standard error, and the progress line that shares
 * the screen with them. Thread-safe.
 */
public final class Terminal {
  private static final String CLEAR_LINE = "\r\u001B[K";

  private final Properties properties;
  private final OutputStream out;
  private final OutputStream err;
  private final LogFilter outFilter = new LogFilter();
  private final LogFilter errFilter = new LogFilter();
  private boolean statusShown;
  private boolean isLineIncomplete;

  /**
   * Properties of standard output and standard error.
   *
   * @param unicode whether boxes and bars can be drawn
   */
  public record Properties(
      boolean outIsTerminal,
      boolean errIsTerminal,
      boolean colors,
      boolean unicode,
      int columns,
      Charset charset) {
    public Properties withoutColors() {
      return new Properties(outIsTerminal, errIsTerminal, false, unicode, columns, charset);
    }
  }

  public Terminal(Properties properties, OutputStream out, OutputStream err) {
    this.properties = properties;
    this.out = out;
    this.err = err;
  }

  public Terminal withoutColors() {
    return new Terminal(properties.withoutColors(), out, err);
  }

  public Properties properties() {
    return properties;
  }

  /** Returns the width for the layout; a pipe has no width limit. */
  public int columns() {
    return properties.outIsTerminal() ? properties.columns() : Integer.MAX_VALUE;
  }

  public String styled(Style style, String text) {
    return properties.colors() && properties.outIsTerminal() ? style.apply(text) : text;
  }

  public String styledError(Style style, String text) {
    return properties.colors() && properties.errIsTerminal() ? style.apply(text) : text;
  }

  public synchronized void print(String text) {
    byte[] bytes = text.getBytes(properties.charset());
    write(out, properties.outIsTerminal(), bytes);
  }

  public void line(String text) {
    print(text + "\n");
  }

  /** Prints a message on standard error, so that piped output contains only data. */
  public synchronized void note(String text) {
    byte[] bytes = ((isLineIncomplete ? "\n" : "") + text + "\n").getBytes(properties.charset());
    write(err, properties.errIsTerminal(), bytes);
  }

  /** Writes log bytes to standard output: unchanged to a pipe, sanitized on a terminal. */
  public synchronized void logOut(byte[] bytes, int length) {
    boolean filtered = properties.outIsTerminal();
    write(out, filtered, filtered ? outFilter.filter(bytes, length) : copy(bytes, length));
  }

  public synchronized void logErr(byte[] bytes, int length) {
    boolean filtered = properties.errIsTerminal();
    write(err, filtered, filtered ? errFilter.filter(bytes, length) : copy(bytes, length));
  }

  /**
   * Writes bytes to standard output without filtering them, for a program that controls this
   * terminal.
   */
  public synchronized void writeUnfiltered(byte[] bytes, int length) {
    writeBytes(out, copy(bytes, length));
  }

  /** Shows or replaces the progress line; does nothing if standard error is not a terminal. */
  public synchronized void status(String text) {
    if (!properties.errIsTerminal() || isLineIncomplete) {
      return;
    }
    String visibleText = DisplayWidth.truncate(text, properties.columns() - 1);
    writeBytes(
        err, (CLEAR_LINE + styledError(Style.DIM, visibleText)).getBytes(properties.charset()));
    statusShown = true;
  }

  public synchronized void clearStatus() {
    if (statusShown) {
      writeBytes(err, CLEAR_LINE.getBytes(properties.charset()));
      statusShown = false;
    }
  }

  private void write(OutputStream stream, boolean isTerminal, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    if (isTerminal) {
      clearStatus();
      isLineIncomplete = bytes[bytes.length - 1] != '\n';
    }
    writeBytes(stream, bytes);
  }

  private static byte[] copy(byte[] bytes, int length) {
    return java.util.Arrays.copyOf(bytes, length);
  }

  private static void writeBytes(OutputStream stream, byte[] bytes) {
    try {
      stream.write(bytes);
      stream.flush();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Broken pipe")) {
        throw new BrokenPipeException(e);
      }
      throw new UncheckedIOException(e);
    }
  }
}
