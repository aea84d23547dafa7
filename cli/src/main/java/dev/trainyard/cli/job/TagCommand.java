package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tag JOB [TAG…]}: adds, removes or shows tags of a job. */
@picocli.CommandLine.Command(name = "tag")
public final class TagCommand extends Command {
  @Parameters(index = "0", paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "TAG", descriptionKey = "tags")
  private List<String> tags = List.of();

  @Option(names = {"-d", "--remove"})
  private boolean remove;

  @Option(names = "--also", paramLabel = "JOB", split = ",")
  private List<String> otherJobs = List.of();

  public TagCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (otherJobs.isEmpty()) {
      show(change(job));
      return ExitCode.OK;
    }
    return JobBatch.forEach(
        session(),
        Stream.concat(Stream.of(job), otherJobs.stream()).toList(),
        this::changeAndPrint);
  }

  private List<Object> change(String jobName) {
    for (String tag : tags) {
      String path = JobPath.of(jobName) + "/tags/" + ApiClient.encode(tag);
      if (remove) {
        api().delete(path);
      } else {
        api().put(path, Map.of());
      }
    }
    return api().read(JobPath.of(jobName)).list("tags").stream().map(Json::value).toList();
  }

  private void show(List<Object> currentTags) {
    if (session().json()) {
      terminal().line(new Json(currentTags).pretty());
    } else {
      currentTags.forEach(tag -> terminal().line(PlainText.of(String.valueOf(tag))));
    }
  }

  /**
   * Changes the tags of one of several jobs and prints them on one line with the name of the job.
   */
  private void changeAndPrint(String jobName) {
    List<Object> currentTags = change(jobName);
    if (session().json()) {
      terminal().line(new Json(Map.of("job", jobName, "tags", currentTags)).text());
      return;
    }
    String tagList = String.join(", ", currentTags.stream().map(String::valueOf).toList());
    terminal()
        .line(text("cli.about", "subject", PlainText.of(jobName), "text", PlainText.of(tagList)));
  }
}
