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
record TaskTable(Localizer localizer, Terminal terminal, long now) {

  private Table table(List<String> columns) {
    List<String> heading = new ArrayList<>();
    columns.forEach(column -> heading.add(localizer.text("cli.column." + column)));
    return new Table(heading);
  }

  String tasks(List<Json> tasks) {
    boolean hasRetries = tasks.stream().anyMatch(task -> task.number("retry") > 0);
    Table table =
        table(
            List.of(
                "task", "state", "exit-code", "end", "node", "address", "ports", "devices", "ran"));
    table = table.withDroppableColumns(7, 6, 5, 4);
    for (Json task : tasks) {
      String exitText =
          task.find("exitReason").map(reason -> localizer.enumText("cli.exit", reason)).orElse("");
      String exitWithDetail =
          task.find("detail")
              .map(detail -> localizer.text("cli.about", "subject", exitText, "text", detail))
              .orElse(exitText);
      table.addRow(
          Cell.of(TaskChoice.name(task) + (hasRetries ? retryText(task) : "")),
          Cell.of(localizer.enumText("cli.task-state", task.string("state"))),
          Cell.of(task.string("exitCode")),
          Cell.of(exitWithDetail),
          Cell.of(task.string("node")),
          Cell.of(task.string("address")),
          Cell.of(ports(task)),
          Cell.of(joinValues(task.list("devices"))),
          Cell.of(new JobText(localizer, task).duration(now)));
    }
    return table.render(terminal);
  }

  /** Returns the retry number of the run, if any task has several runs. */
  private String retryText(Json task) {
    long retry = task.number("retry");
    return retry == 0 ? "" : localizer.text("cli.show.retry", "n", retry);
  }

  private static String ports(Json task) {
    return task.at("ports").fields().keySet().stream()
        .map(label -> label + ":" + joinValues(task.at("ports").list(label)))
        .collect(Collectors.joining(" "));
  }

  private static String joinValues(List<Json> values) {
    return values.stream()
        .map(value -> String.valueOf(value.value()))
        .collect(Collectors.joining(","));
  }

  String attempts(List<Json> attempts) {
    Table table = table(List.of("attempt", "cause", "ran", "exit-code", "stop-cause", "reason"));
    table = table.withDroppableColumns(4, 2, 1, 5);
    for (Json attempt : attempts) {
      JobText text = new JobText(localizer, attempt);
      table.addRow(
          Cell.of(attempt.string("number")),
          Cell.of(localizer.enumText("cli.cause", attempt.string("cause"))),
          Cell.of(text.duration(now)),
          Cell.of(attempt.string("exitCode")),
          Cell.of(
              attempt
                  .find("stopCause")
                  .map(cause -> localizer.enumText("cli.stop-cause", cause))
                  .orElse("")),
          Cell.of(text.reason().orElse("")));
    }
    return table.render(terminal);
  }
}
