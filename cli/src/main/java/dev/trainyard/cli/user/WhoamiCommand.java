package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;

/** {@code whoami}: as whom, and where. */
@picocli.CommandLine.Command(name = "whoami")
public final class WhoamiCommand extends Command {
  public WhoamiCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json me = session().me();
    if (session().json()) {
      terminal().line(me.pretty());
    } else {
      String code = me.isTrue("admin") ? "cli.whoami.admin" : "cli.whoami.user";
      terminal().line(say(code, "user", PlainText.of(me.string("user")), "url", api().base()));
    }
    return ExitCode.OK;
  }
}
