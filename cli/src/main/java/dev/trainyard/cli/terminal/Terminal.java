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

  private final Look look;
  private final OutputStream out;
  private final OutputStream err;
  private final LogFilter outFilter = new LogFilter();
  private final LogFilter errFilter = new LogFilter();
  private boolean statusShown;
  private boolean midLine;

  /**
   * Properties of the two outputs.
   *
   * @param unicode whether boxes and bars can be drawn
   */
  public record Look(
      boolean outIsTerminal,
      boolean errIsTerminal,
      boolean colours,
      boolean unicode,
      int columns,
      Charset charset) {
    public Look withoutColours() {
      return new Look(outIsTerminal, errIsTerminal, false, unicode, columns, charset);
    }
  }

  public Terminal(Look look, OutputStream out, OutputStream err) {
    this.look = look;
    this.out = out;
    this.err = err;
  }

  public Terminal withoutColours() {
    return new Terminal(look.withoutColours(), out, err);
  }

  public Look look() {
    return look;
  }

  /** Returns the width for the layout; a pipe has no width limit. */
  public int columns() {
    return look.outIsTerminal() ? look.columns() : Integer.MAX_VALUE;
  }

  public String styled(Style style, String text) {
    return look.colours() && look.outIsTerminal() ? style.around(text) : text;
  }

  public String styledError(Style style, String text) {
    return look.colours() && look.errIsTerminal() ? style.around(text) : text;
  }

  public synchronized void print(String text) {
    byte[] bytes = text.getBytes(look.charset());
    write(out, look.outIsTerminal(), bytes);
  }

  public void line(String text) {
    print(text + "\n");
  }

  /** Prints a message on standard error, so that piped output contains only data. */
  public synchronized void note(String text) {
    byte[] bytes = ((midLine ? "\n" : "") + text + "\n").getBytes(look.charset());
    write(err, look.errIsTerminal(), bytes);
  }

  /** Writes log bytes to standard output: unchanged to a pipe, sanitized on a terminal. */
  public synchronized void logOut(byte[] bytes, int length) {
    boolean filtered = look.outIsTerminal();
    write(out, filtered, filtered ? outFilter.pass(bytes, length) : copy(bytes, length));
  }

  public synchronized void logErr(byte[] bytes, int length) {
    boolean filtered = look.errIsTerminal();
    write(err, filtered, filtered ? errFilter.pass(bytes, length) : copy(bytes, length));
  }

  /** Writes bytes of a program that controls this terminal, without sanitizing them. */
  public synchronized void passOut(byte[] bytes, int length) {
    raw(out, copy(bytes, length));
  }

  /** Shows or replaces the progress line; does nothing if standard error is not a terminal. */
  public synchronized void status(String text) {
    if (!look.errIsTerminal() || midLine) {
      return;
    }
    String fitting = DisplayWidth.cut(text, look.columns() - 1);
    raw(err, (CLEAR_LINE + styledError(Style.DIM, fitting)).getBytes(look.charset()));
    statusShown = true;
  }

  public synchronized void clearStatus() {
    if (statusShown) {
      raw(err, CLEAR_LINE.getBytes(look.charset()));
      statusShown = false;
    }
  }

  private void write(OutputStream stream, boolean onScreen, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    if (onScreen) {
      clearStatus();
      midLine = bytes[bytes.length - 1] != '\n';
    }
    raw(stream, bytes);
  }

  private static byte[] copy(byte[] bytes, int length) {
    return java.util.Arrays.copyOf(bytes, length);
  }

  private static void raw(OutputStream stream, byte[] bytes) {
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
