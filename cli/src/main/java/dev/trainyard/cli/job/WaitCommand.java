package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.JobState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code wait JOB}: waits until a job has finished and exits with the job's exit code; with {@code
 * --for STATE}, waits until the job is in that state.
 */
@picocli.CommandLine.Command(name = "wait")
public final class WaitCommand extends Command {
  private static final long MAX_PAUSE_MILLIS = 1_000;

  @Parameters(paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Option(names = "--for", paramLabel = "STATE", descriptionKey = "wait-for")
  private String wantedState;

  public WaitCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException {
    List<String> states = Arrays.stream(JobState.values()).map(Enum::name).toList();
    String wanted = wantedState == null ? "" : wantedState.toUpperCase(Locale.ROOT);
    if (wantedState != null && !states.contains(wanted)) {
      String known = String.join(" ", states).toLowerCase(Locale.ROOT);
      throw session().usageError("cli.wrong.state", "value", wantedState, "known", known);
    }
    ReasonReport report = new ReasonReport(session());
    Json jobInfo = api().read(JobPath.of(job));
    // Use the ID because another job may get the same name later.
    String id = jobInfo.find("id").orElse(job);
    long pause = JobFollower.INITIAL_PAUSE_MILLIS;
    while (!jobInfo.string("state").equals(wanted)
        && !new JobText(localizer(), jobInfo).isFinal()) {
      report.show(jobInfo);
      Thread.sleep(pause);
      pause = Math.min(MAX_PAUSE_MILLIS, pause * 2);
      jobInfo = LogCopy.RetryPolicy.DEFAULT.retry(() -> api().read(JobPath.of(id)));
    }
    terminal().clearStatus();
    JobText text = new JobText(localizer(), jobInfo);
    terminal()
        .line(
            session().json()
                ? jobInfo.pretty()
                : text.withName(text.explanation(System.currentTimeMillis())));
    if (jobInfo.string("state").equals(wanted)) {
      return ExitCode.OK;
    }
    int exitCode = JobRun.exitCode(jobInfo);
    return exitCode == 0 && !wanted.isEmpty() ? ExitCode.FAILED : exitCode;
  }
}
