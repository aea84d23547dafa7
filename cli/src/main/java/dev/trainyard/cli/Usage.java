package dev.trainyard.cli;

import dev.trainyard.cli.terminal.Style;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints help and usage errors. */
final class Usage {
  /** Labels of option values that are names. */
  private static final Set<String> NAME_LABELS = Set.of("USER", "ROLE");

  /** Options that can precede the command with their value as the next argument. */
  private static final Set<String> OPTIONS_WITH_VALUE =
      Set.of("--server", "--data", "--token", "--ca-cert", "--lang");

  private Usage() {}

  /**
   * Returns the value of {@code --lang}. It is needed before the options are parsed, because usage
   * errors are also localized.
   */
  static String languageOption(String... args) {
    // Arguments after two dashes belong to the command that is run in a task.
    for (int i = 0; i < args.length && !args[i].equals("--"); i++) {
      if (args[i].equals("--lang") && i + 1 < args.length) {
        return args[i + 1];
      }
      if (args[i].startsWith("--lang=")) {
        return args[i].substring("--lang=".length());
      }
    }
    return null;
  }

  static int printHelpOrRun(Session session, ParseResult parsed, IntSupplier command) {
    ParseResult innermost = innermost(parsed);
    boolean helpRequested = parsed.isUsageHelpRequested() || innermost.isUsageHelpRequested();
    boolean noCommandGiven = innermost.commandSpec().userObject() instanceof Globals;
    if (noCommandGiven && !innermost.unmatched().isEmpty()) {
      // With --help, picocli ignores all errors, even an unknown command.
      throw new UnmatchedArgumentException(
          innermost.commandSpec().commandLine(), List.copyOf(innermost.unmatched()));
    }
    if (helpRequested || (noCommandGiven && !session.globals().version)) {
      session.terminal().print(innermost.commandSpec().commandLine().getUsageMessage());
      return helpRequested ? ExitCode.OK : ExitCode.USAGE;
    }
    if (session.globals().version) {
      session.terminal().line("trainyard " + session.environment().version());
      return ExitCode.OK;
    }
    rejectEmptyNames(session, innermost);
    return command.getAsInt();
  }

  static ParseResult innermost(ParseResult parsed) {
    ParseResult innermost = parsed;
    while (innermost.hasSubcommand()) {
      innermost = innermost.subcommand();
    }
    return innermost;
  }

  /**
   * Rejects empty names, because an unset variable in {@code rm "$JOB"} would otherwise match no
   * job or address the list of all jobs.
   */
  private static void rejectEmptyNames(Session session, ParseResult parsed) {
    for (ArgSpec arg : parsed.matchedArgs()) {
      boolean isName =
          (arg.isPositional() && !arg.paramLabel().equals("COMMAND"))
              || NAME_LABELS.contains(arg.paramLabel());
      if (isName && arg.originalStringValues().stream().anyMatch(String::isBlank)) {
        throw session.usageError("cli.wrong.empty", "name", arg.paramLabel());
      }
    }
  }

  /** Replaces {@code help run} with {@code run --help}. */
  static String[] withoutHelpCommand(String... args) {
    List<String> arguments = new ArrayList<>(List.of(args));
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).equals("help")) {
        arguments.remove(i);
        arguments.add("--help");
        break;
      }
      if (OPTIONS_WITH_VALUE.contains(arguments.get(i))) {
        i++;
      } else if (!arguments.get(i).startsWith("-")) {
        break;
      }
    }
    return arguments.toArray(String[]::new);
  }

  static int reportUsageError(Session session, ParameterException exception, String[] args) {
    CommandSpec spec = exception.getCommandLine().getCommandSpec();
    // The parser does not contain unrecognized commands; create one with all commands.
    if (spec.parent() == null && exception instanceof UnmatchedArgumentException) {
      spec = Cli.commandLine(session).getCommandSpec();
    }
    Localizer localizer = session.localizer();
    List<String> lines = new ArrayList<>();
    lines.add(
        session.terminal().styledError(Style.BAD, localizer.text("cli.error"))
            + errorText(localizer, spec, exception));
    lines.add(localizer.text("cli.usage-hint", "command", spec.qualifiedName(" ")));
    session.terminal().note(String.join("\n", lines));
    return ExitCode.USAGE;
  }

  private static String errorText(
      Localizer localizer, CommandSpec spec, ParameterException exception) {
    return switch (exception) {
      case UnmatchedArgumentException unmatched -> {
        String argument = unmatched.getUnmatched().getFirst();
        boolean isOption = argument.startsWith("-");
        boolean isCommand = !isOption && !spec.subcommands().isEmpty();
        String code =
            isOption
                ? "cli.wrong.option"
                : isCommand ? "cli.wrong.command" : "cli.wrong.superfluous";
        String text = localizer.text(code, "word", argument);
        yield text
            + nearest(argument, isOption ? options(spec) : List.copyOf(spec.subcommands().keySet()))
                .map(suggestion -> localizer.text("cli.wrong.suggestion", "near", suggestion))
                .orElse("");
      }
      case MissingParameterException missing -> {
        String names =
            missing.getMissing().stream()
                .map(arg -> arg.isOption() ? longestName(arg) : arg.paramLabel())
                .reduce((joined, name) -> joined + " " + name)
                .orElse("");
        yield localizer.text("cli.wrong.missing", "names", names);
      }
      default -> {
        var arg = exception.getArgSpec();
        yield arg == null
            ? localizer.text("cli.verbatim", "text", exception.getMessage())
            : localizer.text(
                "cli.wrong.value",
                "name",
                arg.isOption() ? longestName(arg) : arg.paramLabel(),
                "value",
                exception.getValue() == null ? "" : exception.getValue());
      }
    };
  }

  private static String longestName(ArgSpec arg) {
    return ((CommandLine.Model.OptionSpec) arg).longestName();
  }

  private static List<String> options(CommandSpec spec) {
    return List.copyOf(spec.optionsMap().keySet());
  }

  /**
   * Returns the known word with the smallest edit distance, if it is close enough to be a
   * suggestion.
   */
  static Optional<String> nearest(String word, List<String> candidates) {
    int limit = Math.max(1, word.length() / 3);
    return candidates.stream()
        .filter(candidate -> distance(word, candidate) <= limit)
        .min(
            Comparator.comparingInt((String candidate) -> distance(word, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Returns the edit distance: the number of letters to add, remove, replace or swap with their
   * neighbor.
   */
  private static int distance(String source, String target) {
    int[][] cost = new int[source.length() + 1][target.length() + 1];
    for (int i = 0; i <= source.length(); i++) {
      for (int j = 0; j <= target.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int substitutionCost = source.charAt(i - 1) == target.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(
                cost[i - 1][j - 1] + substitutionCost,
                1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && source.charAt(i - 1) == target.charAt(j - 2)
            && source.charAt(i - 2) == target.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[source.length()][target.length()];
  }
}
