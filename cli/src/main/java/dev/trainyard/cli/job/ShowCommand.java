package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.IsolationText;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.Words;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.DisplayWidth;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Parameters;

/** {@code show JOB}: everything about one job. */
@picocli.CommandLine.Command(name = "show")
public final class ShowCommand extends Command {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  @Parameters(paramLabel = "JOB", descriptionKey = "job")
  private String job;

  public ShowCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json found = api().read(JobPath.of(job));
    terminal().print(session().json() ? found.pretty() + "\n" : page(found));
    return ExitCode.OK;
  }

  private String page(Json found) {
    JobText text = new JobText(words(), found);
    long now = System.currentTimeMillis();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("job", terminal().styled(Style.STRONG, text.fullName()));
    facts.put("id", found.string("id"));
    facts.put("state", terminal().styled(Style.ofState(found.string("state")), text.state()));
    facts.put("reason", text.reason().orElse(""));
    facts.put("exit-code", found.string("exitCode"));
    facts.put("resources", resources(found));
    facts.put("image", found.string("image"));
    facts.put("format", found.string("format"));
    facts.put("attempt", found.number("attempt") > 1 ? found.string("attempt") : "");
    for (String moment : List.of("submitted", "started", "ended")) {
      facts.put(moment, found.findLong(moment).map(at -> time(at, now)).orElse(""));
    }
    facts.put("ran", text.duration(now));
    facts.put("isolation", new IsolationText(words()).of(found.at("isolation")));
    StringBuilder page = new StringBuilder(aligned(facts));
    for (Json notice : found.list("notices")) {
      text.said(notice, "message", "code", "params")
          .ifPresent(said -> page.append(say("cli.show.notice", "text", said)).append('\n'));
    }
    if (!found.list("tasks").isEmpty()) {
      page.append('\n').append(tasks(found.list("tasks"), now));
    }
    return page.toString();
  }

  private String aligned(Map<String, String> facts) {
    facts.values().removeIf(String::isEmpty);
    int width =
        facts.keySet().stream()
            .mapToInt(name -> DisplayWidth.of(say("cli.column." + name)))
            .max()
            .orElse(0);
    return facts.entrySet().stream()
        .map(
            fact ->
                DisplayWidth.pad(say("cli.column." + fact.getKey()), width + 2)
                    + safe(fact.getKey(), fact.getValue())
                    + "\n")
        .collect(Collectors.joining());
  }

  /** Styled values are ours; the rest is what somebody wrote. */
  private static String safe(String name, String value) {
    return name.equals("job") || name.equals("state") ? value : PlainText.of(value);
  }

  private String resources(Json found) {
    return say(
        "cli.show.resources",
        "tasks",
        found.number("taskCount"),
        "cpus",
        found.string("cpus"),
        "memory",
        Words.megabytes(found.number("memoryMB")),
        "devices",
        found.number("devices"));
  }

  private String time(long at, long now) {
    String time = TIME.format(Instant.ofEpochMilli(at));
    return say("cli.time.at", "time", time, "ago", words().ago(at, now));
  }

  private String tasks(List<Json> tasks, long now) {
    List<String> heading = new ArrayList<>();
    for (String column : List.of("task", "state", "exit-code", "end", "node", "devices", "ran")) {
      heading.add(say("cli.column." + column));
    }
    Table table = new Table(heading);
    for (Json task : tasks) {
      String end =
          task.find("exitReason").map(reason -> words().word("cli.exit", reason)).orElse("");
      String full =
          task.find("detail")
              .map(known -> say("cli.about", "subject", end, "text", known))
              .orElse(end);
      table.row(
          Cell.of(TaskChoice.name(task)),
          Cell.of(words().word("cli.task-state", task.string("state"))),
          Cell.of(task.string("exitCode")),
          Cell.of(full),
          Cell.of(task.string("node")),
          Cell.of(
              task.list("devices").stream()
                  .map(device -> String.valueOf(device.value()))
                  .collect(Collectors.joining(","))),
          Cell.of(new JobText(words(), task).duration(now)));
    }
    return table.on(terminal());
  }
}
