package dev.trainyard.dist;

import dev.trainyard.cli.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The commands, except {@code up}, that need code of the server. */
final class ServerCommands {
  private ServerCommands() {}

  static Map<String, Function<Session, ?>> all() {
    Map<String, Function<Session, ?>> commands = new LinkedHashMap<>();
    commands.put("backup", BackupCommand::new);
    commands.put("restore", RestoreCommand::new);
    commands.put("systemd-unit", SystemdUnitCommand::new);
    return commands;
  }
}
