package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code version}: prints the version of this program and, with {@code --server}, the version of
 * that server.
 */
@picocli.CommandLine.Command(name = "version")
public final class VersionCommand extends Command {
  public VersionCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Map<String, Object> versions = new LinkedHashMap<>();
    versions.put("version", session().environment().version());
    versions.put("java", System.getProperty("java.version"));
    session()
        .namedServer()
        .ifPresent(
            server -> {
              Json response = session().anonymousApi(server).read("/api/v3/version");
              versions.put("server", response.string("version"));
            });
    if (session().json()) {
      terminal().line(new Json(versions).text());
    } else {
      terminal().line("trainyard " + versions.get("version"));
      if (versions.containsKey("server")) {
        terminal().line(text("cli.version.server", "version", versions.get("server")));
      }
    }
    return ExitCode.OK;
  }
}
