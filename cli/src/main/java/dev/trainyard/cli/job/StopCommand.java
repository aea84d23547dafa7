package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.JobState;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stop JOB…}: stops jobs; their tasks get a grace period to exit. */
@picocli.CommandLine.Command(name = "stop")
public final class StopCommand extends Command {
  @Parameters(paramLabel = "JOB", arity = "1..*", descriptionKey = "jobs")
  private List<String> jobs;

  @Option(names = "--grace", paramLabel = "TIME")
  private String grace;

  public StopCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    String query = grace == null ? "" : "?graceSeconds=" + seconds();
    return JobBatch.forEach(session(), jobs, job -> stop(job, query));
  }

  private long seconds() {
    return GracePeriodParser.seconds(grace)
        .orElseThrow(
            () -> session().usageError("cli.wrong.duration", "name", "--grace", "value", grace));
  }

  private void stop(String job, String query) {
    Json stopped = api().send("POST", JobPath.of(job) + "/stop" + query, new byte[0]);
    if (session().json()) {
      terminal().line(stopped.text());
      return;
    }
    JobText text = new JobText(localizer(), stopped);
    String name = stopped.find("name").isPresent() ? text.fullName() : job;
    String code =
        stopped.string("state").equals(JobState.STOPPED.name())
            ? "cli.stop.stopped"
            : text.isFinal() ? "cli.stop.over" : "cli.stop.asked";
    terminal().line(text(code, "job", name));
  }
}
