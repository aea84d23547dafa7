package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import java.util.List;
import picocli.CommandLine.Parameters;

/** {@code pause JOB…}: pauses jobs; they keep their records and their position in the queue. */
@picocli.CommandLine.Command(name = "pause")
public final class PauseCommand extends Command {
  @Parameters(paramLabel = "JOB", arity = "1..*", descriptionKey = "jobs")
  private List<String> jobs;

  public PauseCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return JobBatch.forEach(session(), jobs, this::pause);
  }

  private void pause(String job) {
    Json paused = api().send("POST", JobPath.of(job) + "/pause", new byte[0]);
    if (session().json()) {
      terminal().line(paused.text());
      return;
    }
    boolean done = paused.string("state").equals("PAUSED");
    String name = new JobText(words(), paused).fullName();
    terminal().line(say(done ? "cli.pause.done" : "cli.pause.asked", "job", name));
  }
}
