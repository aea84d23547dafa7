package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.Cli;
import dev.trainyard.model.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Compares the help and docs/cli.md with all commands of the packaged program. */
class CommandDocumentationTest {
  private static List<CommandSpec> commands() {
    List<CommandSpec> commands = new ArrayList<>();
    collect(Cli.commandLine(Trainyard.environment(Map.of())).getCommandSpec(), commands);
    return commands;
  }

  private static void collect(CommandSpec command, List<CommandSpec> commands) {
    commands.add(command);
    command
        .subcommands()
        .values()
        .forEach(subcommand -> collect(subcommand.getCommandSpec(), commands));
  }

  @Test
  void page_everyCommandAndOption_isMentioned() throws IOException {
    String page = Files.readString(Path.of("../docs/cli.md"));
    String settings = Files.readString(Path.of("../docs/configuration.md"));
    for (CommandSpec command : commands()) {
      assertThat(page).contains("`" + command.qualifiedName(" "));
      String text = command.name().equals("up") ? page + settings : page;
      for (OptionSpec option : command.options()) {
        if (!option.hidden()) {
          String name = option.longestName();
          assertThat(text.contains(name) || text.contains("`" + name.substring(2)))
              .as(command.name() + " " + name)
              .isTrue();
        }
      }
    }
  }

  @Test
  void help_everyCommandAndOption_hasItsText() {
    for (CommandSpec command : commands()) {
      String path = command.qualifiedName(".").replaceFirst("^trainyard\\.", "");
      assertThat(Messages.ENGLISH.codes()).contains("cli.command." + path);
      for (OptionSpec option : command.options()) {
        assertThat(option.hidden() || option.description().length > 0)
            .as(command.name() + " " + option.longestName())
            .isTrue();
      }
      for (PositionalParamSpec parameter : command.positionalParameters()) {
        assertThat(parameter.description())
            .as(command.name() + " " + parameter.paramLabel())
            .isNotEmpty();
      }
    }
  }
}
