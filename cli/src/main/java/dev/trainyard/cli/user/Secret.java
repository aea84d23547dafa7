package dev.trainyard.cli.user;

import dev.trainyard.cli.Session;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads passwords from the terminal without echo, or from the first line of a pipe. */
public final class Secret {
  private static final int LONGEST = 4_096;

  private final Session session;
  private final boolean fromStdin;

  public Secret(Session session, boolean fromStdin) {
    this.session = session;
    this.fromStdin = fromStdin;
  }

  public String ask(String promptCode, String user) {
    if (fromStdin) {
      return firstLine();
    }
    char[] typed =
        session.environment().passwords().ask(session.words().say(promptCode, "user", user) + " ");
    if (typed == null) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.no-terminal"));
    }
    return new String(typed);
  }

  /**
   * Asks for a new password; on a terminal it must be entered twice, because it is not displayed.
   */
  String choose(String user) {
    String chosen = ask("cli.password.new", user);
    if (!fromStdin && !ask("cli.password.again", user).equals(chosen)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.password.differ"));
    }
    return chosen;
  }

  /** Reads byte by byte, so that a second password on the next line remains for the next call. */
  private String firstLine() {
    var line = new java.io.ByteArrayOutputStream();
    try {
      for (int next = session.environment().in().read();
          next >= 0 && next != '\n' && line.size() < LONGEST;
          next = session.environment().in().read()) {
        line.write(next);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
