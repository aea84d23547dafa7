package dev.trainyard.cli;

import dev.trainyard.cli.file.CpCommand;
import dev.trainyard.cli.file.FilesCommand;
import dev.trainyard.cli.image.CommitCommand;
import dev.trainyard.cli.image.ImageCommand;
import dev.trainyard.cli.image.RegistryCommand;
import dev.trainyard.cli.job.CheckCommand;
import dev.trainyard.cli.job.ConvertCommand;
import dev.trainyard.cli.job.EventsCommand;
import dev.trainyard.cli.job.ExecCommand;
import dev.trainyard.cli.job.ExitsCommand;
import dev.trainyard.cli.job.LogsCommand;
import dev.trainyard.cli.job.LsCommand;
import dev.trainyard.cli.job.OutputsCommand;
import dev.trainyard.cli.job.PauseCommand;
import dev.trainyard.cli.job.ResumeCommand;
import dev.trainyard.cli.job.RmCommand;
import dev.trainyard.cli.job.RunCommand;
import dev.trainyard.cli.job.ShowCommand;
import dev.trainyard.cli.job.StopCommand;
import dev.trainyard.cli.job.SubmitCommand;
import dev.trainyard.cli.job.TagCommand;
import dev.trainyard.cli.job.TemplatesCommand;
import dev.trainyard.cli.job.WaitCommand;
import dev.trainyard.cli.job.WhyCommand;
import dev.trainyard.cli.server.AnnouncementsCommand;
import dev.trainyard.cli.server.CleanupCommand;
import dev.trainyard.cli.server.ContactCommand;
import dev.trainyard.cli.server.DownCommand;
import dev.trainyard.cli.server.NodesCommand;
import dev.trainyard.cli.server.SecretsCommand;
import dev.trainyard.cli.server.SettingsCommand;
import dev.trainyard.cli.server.StatusCommand;
import dev.trainyard.cli.server.UsageCommand;
import dev.trainyard.cli.server.VersionCommand;
import dev.trainyard.cli.team.CapabilitiesCommand;
import dev.trainyard.cli.team.GroupsCommand;
import dev.trainyard.cli.team.StoragesCommand;
import dev.trainyard.cli.team.VcCommand;
import dev.trainyard.cli.terminal.BrokenPipeException;
import dev.trainyard.cli.user.AuditCommand;
import dev.trainyard.cli.user.LoginCommand;
import dev.trainyard.cli.user.LogoutCommand;
import dev.trainyard.cli.user.ProfileCommand;
import dev.trainyard.cli.user.RequestsCommand;
import dev.trainyard.cli.user.SignupCommand;
import dev.trainyard.cli.user.SshKeysCommand;
import dev.trainyard.cli.user.TokensCommand;
import dev.trainyard.cli.user.UserCommand;
import dev.trainyard.cli.user.WhoamiCommand;
import dev.trainyard.model.AppException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Entry point of the command line: parses the arguments, runs the command and returns its exit
 * code.
 */
public final class Cli {
  /**
   * Commands that do not support {@code --json}, because they print the output of a task or the
   * text of a file. Each of them rejects the option with its own message.
   */
  private static final List<String> COMMANDS_WITHOUT_JSON =
      List.of("run", "logs", "exec", "systemd-unit");

  private Cli() {}

  public static int run(CliEnvironment cliEnvironment, String... arguments) {
    String[] args = Usage.withoutHelpCommand(arguments);
    Session session =
        new Session(
            cliEnvironment,
            Localizer.of(Localizer.language(Usage.languageOption(args), cliEnvironment.env())));
    try {
      return commandLine(session, args).execute(args);
    } catch (BrokenPipeException e) {
      return ExitCode.BROKEN_PIPE;
    }
  }

  /** Returns a parser that contains all commands, with help texts in English. */
  public static CommandLine commandLine(CliEnvironment environment) {
    return commandLine(new Session(environment, Localizer.of(Locale.ENGLISH)));
  }

  /**
   * Returns a parser that contains only the commands whose names occur in the arguments, because
   * reading the annotations of all commands would take longer than running most of them. If no name
   * occurs, as for help and unknown commands, it contains all of them.
   */
  static CommandLine commandLine(Session session, String... args) {
    Map<String, Function<Session, ?>> commands = commands(session);
    CommandLine parser = new CommandLine(session.globals());
    List<String> namedCommands = Arrays.stream(args).filter(commands::containsKey).toList();
    boolean includeAll = namedCommands.isEmpty();
    commands.forEach(
        (name, command) -> {
          if (includeAll || namedCommands.contains(name)) {
            parser.addSubcommand(name, command.apply(session));
          }
        });
    for (String name : COMMANDS_WITHOUT_JSON) {
      if (parser.getSubcommands().containsKey(name)) {
        hideOption(parser.getSubcommands().get(name).getCommandSpec(), "--json");
      }
    }
    return configure(session, parser);
  }

  private static void hideOption(CommandSpec command, String name) {
    OptionSpec option = command.findOption(name);
    command.remove(option);
    command.add(OptionSpec.builder(option).hidden(true).build());
  }

  private static CommandLine configure(Session session, CommandLine parser) {
    var properties = session.environment().terminal().properties();
    boolean colors = properties.colors() && properties.outIsTerminal();
    parser.setResourceBundle(new HelpTexts(session.localizer()));
    parser.setUsageHelpWidth(Math.clamp(properties.columns(), 55, 110));
    parser.setUsageHelpAutoWidth(false);
    parser.setColorScheme(CommandLine.Help.defaultColorScheme(colors ? Ansi.ON : Ansi.OFF));
    parser.setExpandAtFiles(false);
    parser.setPosixClusteredShortOptionsAllowed(true);
    parser.setExecutionStrategy(
        parsed -> {
          session.applyOptions(Usage.innermost(parsed).commandSpec().commandLine());
          return runHandlingBrokenPipe(
              () ->
                  Usage.printHelpOrRun(
                      session, parsed, () -> new CommandLine.RunLast().execute(parsed)));
        });
    parser.setParameterExceptionHandler(
        (exception, args) ->
            runHandlingBrokenPipe(() -> Usage.reportUsageError(session, exception, args)));
    parser.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          if (exception instanceof AppException error) {
            return runHandlingBrokenPipe(
                () -> {
                  session.terminal().note(ErrorReport.format(session, error));
                  return ExitCode.of(error.code());
                });
          }
          if (exception instanceof BrokenPipeException) {
            return ExitCode.BROKEN_PIPE;
          }
          throw exception;
        });
    return parser;
  }

  /**
   * Runs the action and returns its exit code. Handles a broken pipe here because picocli would
   * print a stack trace.
   */
  private static int runHandlingBrokenPipe(IntSupplier action) {
    try {
      return action.getAsInt();
    } catch (BrokenPipeException e) {
      return ExitCode.BROKEN_PIPE;
    }
  }

  private static Map<String, Function<Session, ?>> commands(Session session) {
    Map<String, Function<Session, ?>> commands = new LinkedHashMap<>();
    commands.put("up", session.environment().upCommand());
    commands.put("down", DownCommand::new);
    commands.put("run", RunCommand::new);
    commands.put("submit", SubmitCommand::new);
    commands.put("check", CheckCommand::new);
    commands.put("convert", ConvertCommand::new);
    commands.put("templates", TemplatesCommand::new);
    commands.put("ls", LsCommand::new);
    commands.put("show", ShowCommand::new);
    commands.put("logs", LogsCommand::new);
    commands.put("wait", WaitCommand::new);
    commands.put("outputs", OutputsCommand::new);
    commands.put("events", EventsCommand::new);
    commands.put("exec", ExecCommand::new);
    commands.put("why", WhyCommand::new);
    commands.put("exits", ExitsCommand::new);
    commands.put("stop", StopCommand::new);
    commands.put("pause", PauseCommand::new);
    commands.put("resume", ResumeCommand::new);
    commands.put("tag", TagCommand::new);
    commands.put("rm", RmCommand::new);
    commands.put("commit", CommitCommand::new);
    commands.put("image", ImageCommand::new);
    commands.put("registry", RegistryCommand::new);
    commands.put("nodes", NodesCommand::new);
    commands.put("usage", UsageCommand::new);
    commands.put("announcements", AnnouncementsCommand::new);
    commands.put("contact", ContactCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("files", FilesCommand::new);
    commands.put("cp", CpCommand::new);
    commands.put("settings", SettingsCommand::new);
    commands.put("cleanup", CleanupCommand::new);
    commands.put("secrets", SecretsCommand::new);
    commands.putAll(session.environment().serverCommands());
    commands.put("login", LoginCommand::new);
    commands.put("logout", LogoutCommand::new);
    commands.put("whoami", WhoamiCommand::new);
    commands.put("profile", ProfileCommand::new);
    commands.put("ssh-keys", SshKeysCommand::new);
    commands.put("tokens", TokensCommand::new);
    commands.put("user", UserCommand::new);
    commands.put("signup", SignupCommand::new);
    commands.put("requests", RequestsCommand::new);
    commands.put("groups", GroupsCommand::new);
    commands.put("vc", VcCommand::new);
    commands.put("storages", StoragesCommand::new);
    commands.put("capabilities", CapabilitiesCommand::new);
    commands.put("audit", AuditCommand::new);
    commands.put("version", VersionCommand::new);
    return commands;
  }
}
