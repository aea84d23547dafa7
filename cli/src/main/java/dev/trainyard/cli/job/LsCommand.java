package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code ls}: jobs, newest first; one's own unless asked otherwise. */
@picocli.CommandLine.Command(name = "ls")
public final class LsCommand extends Command {
  private static final int LARGEST_PAGE = 500;

  @Option(names = {"-a", "--all"})
  private boolean all;

  @Option(
      names = {"-u", "--user"},
      paramLabel = "USER")
  private String user;

  @Option(
      names = {"-s", "--state"},
      paramLabel = "STATE",
      split = ",")
  private List<String> states = List.of();

  @Option(names = "--name", paramLabel = "PREFIX")
  private String name;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N")
  private int limit = 50;

  public LsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    List<Json> jobs = new ArrayList<>();
    Optional<String> next = Optional.of("");
    while (next.isPresent() && jobs.size() < limit) {
      Json page = api().read(query(next.get(), Math.min(LARGEST_PAGE, limit - jobs.size())));
      jobs.addAll(page.list("jobs"));
      next = page.list("jobs").isEmpty() ? Optional.empty() : page.find("next");
    }
    if (session().json()) {
      terminal().line(new Json(jobs.stream().map(Json::value).toList()).pretty());
    } else if (jobs.isEmpty()) {
      terminal().note(say("cli.ls.none"));
    } else {
      terminal().print(table(jobs));
      if (next.isPresent()) {
        terminal().note(say("cli.ls.more", "n", jobs.size()));
      }
    }
    return ExitCode.OK;
  }

  private String query(String after, int count) {
    StringBuilder query = new StringBuilder("/api/v3/jobs?limit=" + count);
    String owner = user != null ? user : all ? null : session().user();
    if (owner != null) {
      query.append("&user=").append(Api.part(owner));
    }
    if (!states.isEmpty()) {
      query.append("&state=").append(Api.part(String.join(",", states).toUpperCase(Locale.ROOT)));
    }
    if (name != null) {
      query.append("&name=").append(Api.part(name));
    }
    return (after.isEmpty() ? query : query.append("&after=").append(Api.part(after))).toString();
  }

  private String table(List<Json> jobs) {
    List<String> heading = new ArrayList<>();
    for (String column : List.of("job", "state", "submitted", "ran", "devices", "reason")) {
      heading.add(say("cli.column." + column));
    }
    Table table = new Table(heading);
    boolean oneOwner = !all && user == null;
    long now = System.currentTimeMillis();
    for (Json job : jobs) {
      JobText text = new JobText(words(), job);
      table.row(
          Cell.of(oneOwner ? job.string("name") : text.fullName()),
          new Cell(text.state(), Style.ofState(job.string("state"))),
          Cell.of(text.submitted(now)),
          Cell.of(text.duration(now)),
          Cell.of(job.number("devices") == 0 ? "" : job.string("devices")),
          new Cell(text.reason().orElse(""), Style.DIM));
    }
    return table.on(terminal());
  }
}
