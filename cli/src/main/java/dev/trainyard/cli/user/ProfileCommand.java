package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code profile}: shows or changes the profile of a user. */
@picocli.CommandLine.Command(name = "profile")
public final class ProfileCommand extends Command {
  @Parameters(paramLabel = "USER", arity = "0..1", descriptionKey = "user-or-me")
  private String user;

  @Option(names = "--email", paramLabel = "ADDRESS")
  private String email;

  @Option(names = "--display-name", paramLabel = "NAME")
  private String displayName;

  @Option(names = "--language", paramLabel = "LANG")
  private String language;

  public ProfileCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Map<String, Object> fields = new LinkedHashMap<>();
    putIfGiven(fields, "email", email);
    putIfGiven(fields, "displayName", displayName);
    putIfGiven(fields, "language", language);
    String path = "/api/v3/users/" + ApiClient.encode(user == null ? "me" : user);
    Json profile = fields.isEmpty() ? api().read(path) : api().patch(path, fields);
    if (session().json()) {
      terminal().line(profile.pretty());
      return ExitCode.OK;
    }
    printField("user", profile.string("name"));
    printField("display-name", profile.string("displayName"));
    printField("email", profile.string("email"));
    printField("language", profile.string("language"));
    printField("ssh-keys", String.valueOf(profile.list("sshKeys").size()));
    return ExitCode.OK;
  }

  private static void putIfGiven(Map<String, Object> fields, String name, String value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  private void printField(String name, String value) {
    terminal().line(text("cli.profile." + name, "value", PlainText.of(value)));
  }
}
