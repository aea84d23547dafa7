package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import java.util.List;
import picocli.CommandLine.Parameters;

/** {@code resume JOB…}: returns paused jobs to the queue. */
@picocli.CommandLine.Command(name = "resume")
public final class ResumeCommand extends Command {
  @Parameters(paramLabel = "JOB", arity = "1..*", descriptionKey = "jobs")
  private List<String> jobs;

  public ResumeCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return JobBatch.forEach(session(), jobs, this::resume);
  }

  private void resume(String job) {
    Json resumed = api().send("POST", JobPath.of(job) + "/resume", new byte[0]);
    terminal()
        .line(
            session().json()
                ? resumed.text()
                : say("cli.resume.done", "job", new JobText(words(), resumed).fullName()));
  }
}
