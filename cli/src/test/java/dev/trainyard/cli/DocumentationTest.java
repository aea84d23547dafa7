package dev.trainyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

class DocumentationTest {
  @TempDir private Path home;

  private List<CommandSpec> commands() {
    Session session = new Session(new TestShell(home).environment(), Localizer.of(Locale.ENGLISH));
    List<CommandSpec> collected = new ArrayList<>();
    collect(Cli.commandLine(session).getCommandSpec(), collected);
    return collected;
  }

  private static void collect(CommandSpec command, List<CommandSpec> collected) {
    collected.add(command);
    command.subcommands().values().forEach(sub -> collect(sub.getCommandSpec(), collected));
  }

  @Test
  void page_everyCommandAndOption_isMentioned() throws IOException {
    String page = Files.readString(Path.of("../docs/cli.md"));
    for (CommandSpec command : commands()) {
      assertThat(page).contains("`" + command.qualifiedName(" "));
      for (OptionSpec option : command.options()) {
        if (!option.hidden()) {
          assertThat(page).as(command.name()).contains(option.longestName());
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
