package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.ExitTable;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Parameters;

/** {@code exits [CODE]}: explains exit codes; needs no server. */
@picocli.CommandLine.Command(name = "exits")
public final class ExitsCommand extends Command {
  @Parameters(paramLabel = "CODE", arity = "0..1", descriptionKey = "code")
  private Integer code;

  public ExitsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    List<Exit> exits = code == null ? List.of(Exit.values()) : exitsFor(code);
    if (session().json()) {
      terminal().line(new Json(exits.stream().map(this::view).toList()).pretty());
    } else if (code == null) {
      terminal().print(table(exits).render(terminal()));
    } else {
      exits.forEach(exit -> terminal().line(describe(exit)));
    }
    return ExitCode.OK;
  }

  /**
   * Returns the exits with this code, which may be the exit code of a task, a code of OpenPAI, or
   * both. For an unknown code, returns the exit of a failed command.
   */
  private static List<Exit> exitsFor(int code) {
    List<Exit> exits = new ArrayList<>();
    boolean isTaskCode = code >= 0 && code <= 255;
    if (isTaskCode) {
      exits.add(ExitTable.of(code));
    }
    OpenPaiExits.find(code)
        .map(OpenPaiExits.Row::exit)
        .filter(exit -> !exits.contains(exit))
        .ifPresent(exits::add);
    return exits.isEmpty() ? List.of(Exit.COMMAND_FAILED) : exits;
  }

  private String describe(Exit exit) {
    return text(
        "cli.exits.one",
        "phrase",
        localizer().text(exit.phrase()),
        "cause",
        localizer().text(exit.cause()),
        "advice",
        localizer().text(exit.advice()),
        "reaction",
        localizer().text(exit.reaction().description()));
  }

  private Table table(List<Exit> exits) {
    Table table =
        new Table(
            Arrays.stream(new String[] {"exit", "codes", "openpai", "phrase"})
                .map(column -> text("cli.exits." + column))
                .toList());
    for (Exit exit : exits) {
      table.addRow(
          Cell.of(exit.name()),
          Cell.of(codes(exit)),
          Cell.of(String.valueOf(exit.openPaiCode())),
          Cell.of(localizer().text(exit.phrase())));
    }
    return table.withDroppableColumns(2, 1);
  }

  private static String codes(Exit exit) {
    return ExitTable.codes(exit).stream()
        .map(
            range ->
                range.from() == range.to()
                    ? String.valueOf(range.from())
                    : range.from() + "-" + range.to())
        .collect(Collectors.joining(","));
  }

  private Map<String, Object> view(Exit exit) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("exit", exit.name());
    view.put(
        "codes",
        ExitTable.codes(exit).stream().map(range -> List.of(range.from(), range.to())).toList());
    view.put("phrase", localizer().text(exit.phrase()));
    view.put("cause", localizer().text(exit.cause()));
    view.put("advice", localizer().text(exit.advice()));
    view.put("reaction", exit.reaction().name());
    view.put("openpaiCode", exit.openPaiCode());
    return view;
  }
}
