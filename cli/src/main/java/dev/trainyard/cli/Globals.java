package dev.trainyard.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Global options, accepted before or after the name of a command. */
@Command(name = "trainyard")
public final class Globals {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT)
  boolean help;

  @Option(
      names = {"-V", "--version"},
      hidden = true)
  boolean version;

  @Option(names = "--server", paramLabel = "URL", scope = ScopeType.INHERIT)
  String server;

  @Option(names = "--data", paramLabel = "DIR", scope = ScopeType.INHERIT)
  String data;

  @Option(names = "--token", paramLabel = "TOKEN", scope = ScopeType.INHERIT)
  String token;

  @Option(names = "--ca-cert", paramLabel = "FILE", scope = ScopeType.INHERIT)
  String caCert;

  @Option(names = "--json", scope = ScopeType.INHERIT)
  boolean json;

  @Option(names = "--lang", paramLabel = "zh|en", scope = ScopeType.INHERIT)
  String lang;

  @Option(names = "--no-color", scope = ScopeType.INHERIT)
  boolean noColor;

  /**
   * Returns the options that a suggested command needs to reach the same server, each with a space
   * in front. The token is omitted, because hints must not show it.
   */
  String hintOptions() {
    return hintOption("--server", server)
        + hintOption("--data", data)
        + hintOption("--ca-cert", caCert);
  }

  private static String hintOption(String name, String value) {
    if (value == null) {
      return "";
    }
    boolean plain = value.matches("[A-Za-z0-9_@%+=:,./~-]+");
    return " " + name + " " + (plain ? value : "'" + value.replace("'", "'\\''") + "'");
  }
}
