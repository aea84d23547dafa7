package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.model.JobState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code ls}: lists jobs, newest first; by default those of the caller. */
@picocli.CommandLine.Command(name = "ls")
public final class LsCommand extends Command {
  private static final int MAX_PAGE_SIZE = 500;

  @Option(names = {"-a", "--all"})
  private boolean all;

  @Option(names = "--team")
  private boolean team;

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

  @Option(names = "--keyword", paramLabel = "TEXT")
  private String keyword;

  @Option(names = "--tag", paramLabel = "TAG", split = ",")
  private List<String> tags = List.of();

  @Option(names = "--sort", paramLabel = "FIELD")
  private String sort;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N")
  private int limit = 50;

  public LsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    validateOptions();
    List<Json> jobs = new ArrayList<>();
    Optional<String> next = Optional.of("");
    while (next.isPresent() && jobs.size() < limit) {
      int count = Math.min(MAX_PAGE_SIZE, limit - jobs.size());
      Json page = api().read(query(next.get(), jobs.size(), count));
      jobs.addAll(page.list("jobs"));
      next = nextCursor(page, count);
    }
    if (session().json()) {
      terminal().line(new Json(jobs.stream().map(Json::value).toList()).pretty());
    } else if (jobs.isEmpty()) {
      boolean filtered = !states.isEmpty() || name != null || user != null || isSearch();
      terminal().note(text(filtered ? "cli.ls.none-match" : "cli.ls.none"));
    } else {
      terminal().print(table(jobs));
      if (next.isPresent()) {
        terminal().note(text("cli.ls.more", "n", jobs.size()));
      }
    }
    if (!session().json() && !team && (all || user != null)) {
      noteIfNotAllVisible();
    }
    return ExitCode.OK;
  }

  /**
   * Returns whether the list is sorted or searched; such lists are paged by offset and have no next
   * token.
   */
  private boolean isSearch() {
    return team || keyword != null || !tags.isEmpty() || sort != null;
  }

  private Optional<String> nextCursor(Json page, int count) {
    int jobCount = page.list("jobs").size();
    if (isSearch()) {
      return jobCount == count ? Optional.of("") : Optional.empty();
    }
    return jobCount == 0 ? Optional.empty() : page.find("next");
  }

  private void validateOptions() {
    if (limit < 1) {
      throw session().usageError("cli.wrong.least", "name", "--limit", "least", 1, "value", limit);
    }
    List<String> knownStates =
        Arrays.stream(JobState.values())
            .map(state -> state.name().toLowerCase(Locale.ROOT))
            .toList();
    for (String state : states) {
      if (!knownStates.contains(state.strip().toLowerCase(Locale.ROOT))) {
        String stateNames = String.join(" ", knownStates);
        throw session().usageError("cli.wrong.state", "value", state, "known", stateNames);
      }
    }
  }

  private void noteIfNotAllVisible() {
    Json currentUser = session().currentUser();
    if (!currentUser.isTrue("admin") && !currentUser.string("user").equals(user)) {
      terminal().note(text("cli.ls.own-only"));
    }
  }

  private String query(String after, int offset, int count) {
    StringBuilder query = new StringBuilder("/api/v3/jobs?limit=" + count);
    String owner = user != null ? user : all || team ? null : session().user();
    if (owner != null) {
      query.append("&user=").append(ApiClient.encode(owner));
    }
    if (team) {
      query.append(all ? "&scope=all" : "&scope=team");
    }
    if (!states.isEmpty()) {
      query.append("&state=").append(ApiClient.encode(stateParameter()));
    }
    if (name != null) {
      query.append("&name=").append(ApiClient.encode(name));
    }
    if (isSearch()) {
      query.append("&offset=").append(offset);
    }
    if (keyword != null) {
      query.append("&keyword=").append(ApiClient.encode(keyword));
    }
    if (!tags.isEmpty()) {
      query.append("&tag=").append(ApiClient.encode(String.join(",", tags)));
    }
    if (sort != null) {
      query.append("&sort=").append(ApiClient.encode(sort));
    }
    return (after.isEmpty() ? query : query.append("&after=").append(ApiClient.encode(after)))
        .toString();
  }

  private String stateParameter() {
    return states.stream()
        .map(state -> state.strip().toUpperCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }

  private String table(List<Json> jobs) {
    boolean isSingleOwner = !all && !team && user == null;
    return isSingleOwner ? ownTable(jobs) : overviewTable(jobs);
  }

  private String ownTable(List<Json> jobs) {
    Table table =
        new Table(heading("job", "state", "submitted", "ran", "devices", "reason"))
            .withDroppableColumns(4, 3, 2, 5);
    long now = System.currentTimeMillis();
    for (Json job : jobs) {
      JobText text = new JobText(localizer(), job);
      table.addRow(
          Cell.of(job.string("name")),
          new Cell(text.state(), Style.ofState(job.string("state"))),
          Cell.of(text.submittedAgo(now)),
          Cell.of(text.duration(now)),
          Cell.of(job.number("devices") == 0 ? "" : job.string("devices")),
          new Cell(text.shortReason(), Style.DIM));
    }
    return table.render(terminal());
  }

  /** Formats the jobs of several users with the resources that each job uses. */
  private String overviewTable(List<Json> jobs) {
    Table table =
        new Table(
                heading(
                    "job",
                    "state",
                    "vc",
                    "cpus",
                    "memory",
                    "devices",
                    "submitted",
                    "ran",
                    "reason"))
            .withDroppableColumns(6, 7, 8, 2);
    long now = System.currentTimeMillis();
    for (Json job : jobs) {
      JobText text = new JobText(localizer(), job);
      table.addRow(
          Cell.of(text.fullName()),
          new Cell(text.state(), Style.ofState(job.string("state"))),
          Cell.of(job.string("virtualCluster")),
          Cell.of(job.string("cpus")),
          Cell.of(Localizer.megabytes(job.number("memoryMB"))),
          Cell.of(job.number("devices") == 0 ? "" : job.string("devices")),
          Cell.of(text.submittedAgo(now)),
          Cell.of(text.duration(now)),
          new Cell(text.shortReason(), Style.DIM));
    }
    return table.render(terminal());
  }

  private List<String> heading(String... columns) {
    return Arrays.stream(columns).map(column -> text("cli.column." + column)).toList();
  }
}
