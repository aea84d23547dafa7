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
    Json jobInfo = api().read(JobPath.of(job));
    String sentence = new JobText(words(), jobInfo).explanation(System.currentTimeMillis());
    if (session().json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("state", jobInfo.string("state"));
      fields.put("reason", sentence);
      fields.put("reasonCode", jobInfo.at("reasonCode").value());
      fields.put("reasonParams", jobInfo.at("reasonParams").value());
      fields.put("diagnosis", jobInfo.at("diagnosis").value());
      terminal().line(new Json(fields).pretty());
    } else {
      terminal().line(sentence);
    }
    return ExitCode.OK;
  }
}
