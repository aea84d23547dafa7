package dev.trainyard.cli.job;

import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats the tasks of an attempt, and the attempts of a job, as tables. */
record TaskTable(Localizer words, Terminal terminal, long now) {

  private Table table(List<String> columns) {
    List<String> heading = new ArrayList<>();
    columns.forEach(column -> heading.add(words.say("cli.column." + column)));
    return new Table(heading);
  }

  String tasks(List<Json> tasks) {
    boolean retried = tasks.stream().anyMatch(task -> task.number("retry") > 0);
    Table table =
        table(
            List.of(
                "task", "state", "exit-code", "end", "node", "address", "ports", "devices", "ran"));
    table = table.dropping(7, 6, 5, 4);
    for (Json task : tasks) {
      String end = task.find("exitReason").map(reason -> words.word("cli.exit", reason)).orElse("");
      String full =
          task.find("detail")
              .map(known -> words.say("cli.about", "subject", end, "text", known))
              .orElse(end);
      table.row(
          Cell.of(TaskChoice.name(task) + (retried ? retry(task) : "")),
          Cell.of(words.word("cli.task-state", task.string("state"))),
          Cell.of(task.string("exitCode")),
          Cell.of(full),
          Cell.of(task.string("node")),
          Cell.of(task.string("address")),
          Cell.of(ports(task)),
          Cell.of(joined(task.list("devices"))),
          Cell.of(new JobText(words, task).duration(now)));
    }
    return table.on(terminal);
  }

  /** Returns the retry number of the run, if any task has several runs. */
  private String retry(Json task) {
    long retry = task.number("retry");
    return retry == 0 ? "" : words.say("cli.show.retry", "n", retry);
  }

  private static String ports(Json task) {
    return task.at("ports").fields().keySet().stream()
        .map(label -> label + ":" + joined(task.at("ports").list(label)))
        .collect(Collectors.joining(" "));
  }

  private static String joined(List<Json> values) {
    return values.stream()
        .map(value -> String.valueOf(value.value()))
        .collect(Collectors.joining(","));
  }

  String attempts(List<Json> attempts) {
    Table table = table(List.of("attempt", "cause", "ran", "exit-code", "stop-cause", "reason"));
    table = table.dropping(4, 2, 1, 5);
    for (Json attempt : attempts) {
      JobText text = new JobText(words, attempt);
      table.row(
          Cell.of(attempt.string("number")),
          Cell.of(words.word("cli.cause", attempt.string("cause"))),
          Cell.of(text.duration(now)),
          Cell.of(attempt.string("exitCode")),
          Cell.of(
              attempt
                  .find("stopCause")
                  .map(cause -> words.word("cli.stop-cause", cause))
                  .orElse("")),
          Cell.of(text.reason().orElse("")));
    }
    return table.on(terminal);
  }
}
