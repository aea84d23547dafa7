package dev.trainyard.cli;

import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Problem;

/** Formats errors for the terminal. */
public final class ErrorReport {
  private ErrorReport() {}

  public static String format(Session session, AppException error) {
    Localizer localizer = session.localizer();
    StringBuilder text = new StringBuilder();
    text.append(session.terminal().styledError(Style.BAD, localizer.text("cli.error")))
        .append(PlainText.of(localizer.text(error.text())));
    for (Problem problem : error.problems()) {
      text.append("\n  ").append(formatProblem(localizer, "", problem));
    }
    if (error.code() == ErrorCode.SIGN_IN_REQUIRED) {
      text.append('\n').append(localizer.text("cli.hint.login"));
    }
    return text.toString();
  }

  /**
   * Returns one problem of a file in the format of compiler messages, so that editors can jump to
   * it.
   */
  public static String formatProblem(Localizer localizer, String file, Problem problem) {
    return position(file, problem) + PlainText.of(localizer.text(problem.message()));
  }

  /** Returns the position of a problem as text to print before its message. */
  public static String position(String file, Problem problem) {
    StringBuilder position = new StringBuilder(file);
    if (problem.line() > 0) {
      position.append(file.isEmpty() ? "" : ":").append(problem.line());
      if (problem.column() > 0) {
        position.append(':').append(problem.column());
      }
    }
    if (!position.isEmpty()) {
      position.append(problem.path().isEmpty() ? ": " : " ");
    }
    String path = problem.path().isEmpty() ? "" : problem.path() + ": ";
    return PlainText.of(position + path);
  }
}
