package dev.trainyard.cli.job;

import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.util.List;
import java.util.function.Consumer;

/**
 * Applies an operation to several jobs; a failure for one job is reported and does not affect the
 * others.
 */
final class JobBatch {
  private JobBatch() {}

  static int forEach(Session session, List<String> jobs, Consumer<String> action) {
    int exitCode = ExitCode.OK;
    for (String job : jobs) {
      try {
        action.accept(job);
      } catch (AppException error) {
        if (error.code() == ErrorCode.UNREACHABLE) {
          throw error;
        }
        String text = ErrorReport.format(session, error);
        session
            .terminal()
            .note(
                jobs.size() > 1
                    ? session
                        .localizer()
                        .text("cli.about", "subject", PlainText.of(job), "text", text)
                    : text);
        exitCode = ExitCode.of(error.code());
      }
    }
    return exitCode;
  }
}
