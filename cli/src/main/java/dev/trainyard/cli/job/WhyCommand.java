package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** {@code why JOB}: explains in one sentence why a job waits or how it finished. */
@picocli.CommandLine.Command(name = "why")
public final class WhyCommand extends Command {
  @Parameters(paramLabel = "JOB", descriptionKey = "job")
  private String job;

  public WhyCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json found = api().read(JobPath.of(job));
    String sentence = new JobText(words(), found).why(System.currentTimeMillis());
    if (session().json()) {
      Map<String, Object> why = new LinkedHashMap<>();
      why.put("state", found.string("state"));
      why.put("reason", sentence);
      why.put("reasonCode", found.at("reasonCode").value());
      why.put("reasonParams", found.at("reasonParams").value());
      why.put("diagnosis", found.at("diagnosis").value());
      terminal().line(new Json(why).pretty());
    } else {
      terminal().line(sentence);
    }
    return ExitCode.OK;
  }
}
