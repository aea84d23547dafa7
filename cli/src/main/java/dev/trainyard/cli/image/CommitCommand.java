package dev.trainyard.cli.image;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code commit JOB NAME}: creates an image from the file system changes of a task. */
@picocli.CommandLine.Command(name = "commit")
public final class CommitCommand extends Command {
  @Parameters(index = "0", paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Parameters(index = "1", paramLabel = "NAME", descriptionKey = "commit-name")
  private String name;

  @Option(names = "--role", paramLabel = "ROLE")
  private String role;

  @Option(names = "--index", paramLabel = "N")
  private Integer index;

  @Option(names = "--push")
  private boolean push;

  public CommitCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("push", push);
    if (role != null) {
      fields.put("role", role);
    }
    if (index != null) {
      fields.put("index", index);
    }
    Json image =
        ImageOperation.run(session(), "/api/v3/jobs/" + ApiClient.encode(job) + "/commit", fields);
    String references =
        image.list("references").stream()
            .map(reference -> PlainText.of(String.valueOf(reference.value())))
            .collect(Collectors.joining(" "));
    terminal()
        .line(
            session().json()
                ? image.pretty()
                : text(push ? "cli.commit.pushed" : "cli.commit.made", "image", references));
    return ExitCode.OK;
  }
}
