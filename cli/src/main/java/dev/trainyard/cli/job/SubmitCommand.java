package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code submit FILE}: submits a job and returns immediately. */
@picocli.CommandLine.Command(name = "submit")
public final class SubmitCommand extends Command {
  @Parameters(paramLabel = "FILE", descriptionKey = "file")
  private String file;

  @Option(names = "--suffix")
  private boolean suffix;

  @Option(names = "--vc", paramLabel = "NAME")
  private String virtualCluster;

  public SubmitCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Submission submission = new Submission(session(), file);
    Optional<Json> acceptedJob = submission.send(submission.read(), suffix, virtualCluster);
    if (acceptedJob.isEmpty()) {
      return ExitCode.FAILED;
    }
    report(session(), acceptedJob.get());
    return ExitCode.OK;
  }

  static void report(Session session, Json job) {
    JobText text = new JobText(session.localizer(), job);
    if (session.json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (String field : new String[] {"id", "name", "user"}) {
        fields.put(field, job.string(field));
      }
      session.terminal().line(new Json(fields).text());
    } else {
      session.terminal().line(session.localizer().text("cli.submit.done", "job", text.fullName()));
    }
    if (job.isTrue("neverFits")) {
      session
          .terminal()
          .note(session.localizer().text("cli.never-fits", "reason", text.reason().orElse("")));
    }
  }
}
