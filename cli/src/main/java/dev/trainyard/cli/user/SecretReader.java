package dev.trainyard.cli.user;

import dev.trainyard.cli.Session;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads passwords from the terminal without echo, or from the first line of a pipe. */
public final class SecretReader {
  private static final int MAX_LENGTH = 4_096;

  private final Session session;
  private final boolean fromStdin;

  public SecretReader(Session session, boolean fromStdin) {
    this.session = session;
    this.fromStdin = fromStdin;
  }

  public String read(String promptCode, String user) {
    if (fromStdin) {
      return readFirstLine();
    }
    char[] password =
        session
            .environment()
            .passwords()
            .read(session.localizer().text(promptCode, "user", user) + " ");
    if (password == null) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.no-terminal"));
    }
    return new String(password);
  }

  /** Reads a new password; on a terminal it must be entered twice, because it is not displayed. */
  String readNewPassword(String user) {
    String password = read("cli.password.new", user);
    if (!fromStdin && !read("cli.password.again", user).equals(password)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.password.differ"));
    }
    return password;
  }

  /**
   * Reads one line byte by byte, so that a second password on the next line remains for the next
   * call.
   */
  private String readFirstLine() {
    var line = new java.io.ByteArrayOutputStream();
    try {
      for (int next = session.environment().in().read();
          next >= 0 && next != '\n' && line.size() < MAX_LENGTH;
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
