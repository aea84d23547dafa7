package dev.trainyard.cli.job;

import dev.trainyard.cli.ErrorReport;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.model.AppException;

/** Follows a submitted job until it finishes. */
public final class JobRun {
  private JobRun() {}

  /**
   * Streams the logs until the job finishes; stops the job if the user interrupts the command.
   * Returns the exit code of this command.
   */
  public static int followToEnd(Session session, Json job) throws InterruptedException {
    session.environment().signals().onInterrupt(() -> stop(session, job));
    Json finishedJob = new JobFollower(session, job.string("id")).follow();
    reportResult(session, finishedJob);
    return exitCode(finishedJob);
  }

  private static void stop(Session session, Json job) {
    String name = new JobText(session.localizer(), job).fullName();
    session.terminal().note(session.localizer().text("cli.run.stopping", "job", name));
    try {
      session.api().send("POST", JobPath.of(job.string("id")) + "/stop", new byte[0]);
    } catch (AppException error) {
      session.terminal().note(ErrorReport.format(session, error));
    }
  }

  private static void reportResult(Session session, Json job) {
    JobText text = new JobText(session.localizer(), job);
    String sentence = text.withName(text.explanation(System.currentTimeMillis()));
    boolean succeeded = job.string("state").equals("SUCCEEDED");
    if (!succeeded || session.terminal().properties().errIsTerminal()) {
      session
          .terminal()
          .note(session.terminal().styledError(succeeded ? Style.GOOD : Style.BAD, sentence));
    }
  }

  /**
   * Returns the exit code of this command: {@link ExitCode#STOPPED} for a stopped job, otherwise
   * the exit code of the job. A job that failed with exit code 0 gives {@link ExitCode#FAILED}.
   */
  static int exitCode(Json job) {
    int code = job.findLong("exitCode").map(Long::intValue).orElse(0);
    return switch (job.string("state")) {
      case "SUCCEEDED" -> code & 0xFF;
      case "STOPPED" -> ExitCode.STOPPED;
      default -> (code & 0xFF) == 0 ? ExitCode.FAILED : code & 0xFF;
    };
  }
}
