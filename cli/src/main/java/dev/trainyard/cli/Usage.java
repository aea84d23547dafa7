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
  private static final Set<String> NAMES = Set.of("USER", "ROLE");

  /** Options that can precede the command with their value as the next argument. */
  private static final Set<String> WITH_VALUE =
      Set.of("--server", "--data", "--token", "--ca-cert", "--lang");

  private Usage() {}

  /**
   * Returns the value of {@code --lang}. It is needed before the options are parsed, because usage
   * errors are also localized.
   */
  static String askedLanguage(String... args) {
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

  static int helpOr(Session session, ParseResult parsed, IntSupplier command) {
    ParseResult last = last(parsed);
    boolean help = parsed.isUsageHelpRequested() || last.isUsageHelpRequested();
    boolean nothingToRun = last.commandSpec().userObject() instanceof Globals;
    if (nothingToRun && !last.unmatched().isEmpty()) {
      // With --help, picocli ignores all errors, even an unknown command.
      throw new UnmatchedArgumentException(
          last.commandSpec().commandLine(), List.copyOf(last.unmatched()));
    }
    if (help || (nothingToRun && !session.globals().version)) {
      session.terminal().print(last.commandSpec().commandLine().getUsageMessage());
      return help ? ExitCode.OK : ExitCode.USAGE;
    }
    if (session.globals().version) {
      session.terminal().line("trainyard " + session.environment().version());
      return ExitCode.OK;
    }
    refuseEmptyNames(session, last);
    return command.getAsInt();
  }

  static ParseResult last(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last;
  }

  /**
   * Rejects empty names: an unset variable in {@code rm "$JOB"} would otherwise name no job, or
   * address the list of all jobs.
   */
  private static void refuseEmptyNames(Session session, ParseResult parsed) {
    for (ArgSpec arg : parsed.matchedArgs()) {
      boolean names =
          (arg.isPositional() && !arg.paramLabel().equals("COMMAND"))
              || NAMES.contains(arg.paramLabel());
      if (names && arg.originalStringValues().stream().anyMatch(String::isBlank)) {
        throw session.wrong("cli.wrong.empty", "name", arg.paramLabel());
      }
    }
  }

  /** Replaces {@code help run} with {@code run --help}. */
  static String[] withoutHelpCommand(String... args) {
    List<String> words = new ArrayList<>(List.of(args));
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).equals("help")) {
        words.remove(i);
        words.add("--help");
        break;
      }
      if (WITH_VALUE.contains(words.get(i))) {
        i++;
      } else if (!words.get(i).startsWith("-")) {
        break;
      }
    }
    return words.toArray(String[]::new);
  }

  static int wrong(Session session, ParameterException problem, String[] args) {
    CommandSpec spec = problem.getCommandLine().getCommandSpec();
    // The parser does not contain unrecognized commands; create one with all commands.
    if (spec.parent() == null && problem instanceof UnmatchedArgumentException) {
      spec = Cli.commandLine(session).getCommandSpec();
    }
    Localizer words = session.words();
    List<String> lines = new ArrayList<>();
    lines.add(
        session.terminal().styledError(Style.BAD, words.say("cli.error"))
            + sentence(words, spec, problem));
    lines.add(words.say("cli.usage-hint", "command", spec.qualifiedName(" ")));
    session.terminal().note(String.join("\n", lines));
    return ExitCode.USAGE;
  }

  private static String sentence(Localizer words, CommandSpec spec, ParameterException problem) {
    return switch (problem) {
      case UnmatchedArgumentException unknown -> {
        String word = unknown.getUnmatched().getFirst();
        boolean option = word.startsWith("-");
        boolean command = !option && !spec.subcommands().isEmpty();
        String code =
            option ? "cli.wrong.option" : command ? "cli.wrong.command" : "cli.wrong.superfluous";
        String text = words.say(code, "word", word);
        yield text
            + nearest(word, option ? options(spec) : List.copyOf(spec.subcommands().keySet()))
                .map(near -> words.say("cli.wrong.suggestion", "near", near))
                .orElse("");
      }
      case MissingParameterException missing -> {
        String names =
            missing.getMissing().stream()
                .map(arg -> arg.isOption() ? longest(arg) : arg.paramLabel())
                .reduce((one, other) -> one + " " + other)
                .orElse("");
        yield words.say("cli.wrong.missing", "names", names);
      }
      default -> {
        var arg = problem.getArgSpec();
        yield arg == null
            ? words.say("cli.verbatim", "text", problem.getMessage())
            : words.say(
                "cli.wrong.value",
                "name",
                arg.isOption() ? longest(arg) : arg.paramLabel(),
                "value",
                problem.getValue() == null ? "" : problem.getValue());
      }
    };
  }

  private static String longest(ArgSpec arg) {
    return ((CommandLine.Model.OptionSpec) arg).longestName();
  }

  private static List<String> options(CommandSpec spec) {
    return List.copyOf(spec.optionsMap().keySet());
  }

  /**
   * Returns the known word with the smallest edit distance, if it is close enough to be a
   * suggestion.
   */
  static Optional<String> nearest(String word, List<String> known) {
    int limit = Math.max(1, word.length() / 3);
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= limit)
        .min(
            Comparator.comparingInt((String candidate) -> distance(word, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Returns the number of letters to add, remove, replace or swap with their neighbor. */
  private static int distance(String one, String other) {
    int[][] cost = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[one.length()][other.length()];
  }
}
