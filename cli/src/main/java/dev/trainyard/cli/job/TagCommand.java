package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tag JOB [TAG…]}: puts words on a job, takes them off, or shows them. */
@picocli.CommandLine.Command(name = "tag")
public final class TagCommand extends Command {
  @Parameters(index = "0", paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "TAG", descriptionKey = "tags")
  private List<String> tags = List.of();

  @Option(names = {"-d", "--remove"})
  private boolean remove;

  public TagCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    for (String tag : tags) {
      String path = JobPath.of(job) + "/tags/" + Api.part(tag);
      if (remove) {
        api().delete(path);
      } else {
        api().put(path, Map.of());
      }
    }
    Json now = api().read(JobPath.of(job));
    if (session().json()) {
      terminal().line(new Json(now.list("tags").stream().map(Json::value).toList()).pretty());
    } else {
      now.list("tags").forEach(tag -> terminal().line(PlainText.of(String.valueOf(tag.value()))));
    }
    return ExitCode.OK;
  }
}
