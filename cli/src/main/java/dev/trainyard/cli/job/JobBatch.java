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

  static int of(Session session, List<String> jobs, Consumer<String> action) {
    int exit = ExitCode.OK;
    for (String job : jobs) {
      try {
        action.accept(job);
      } catch (AppException refusal) {
        if (refusal.code() == ErrorCode.UNREACHABLE) {
          throw refusal;
        }
        String text = ErrorReport.text(session, refusal);
        session
            .terminal()
            .note(
                jobs.size() > 1
                    ? session.words().say("cli.about", "subject", PlainText.of(job), "text", text)
                    : text);
        exit = ExitCode.of(refusal.code());
      }
    }
    return exit;
  }
}
