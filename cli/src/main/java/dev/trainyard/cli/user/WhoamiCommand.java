package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.team.LimitText;
import dev.trainyard.cli.terminal.PlainText;
import java.util.Map;

/** {@code whoami}: shows the current user and server. */
@picocli.CommandLine.Command(name = "whoami")
public final class WhoamiCommand extends Command {
  public WhoamiCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json me = session().me();
    Json limits = api().read(LimitText.path(me.string("user")));
    if (session().json()) {
      Map<String, Object> all = me.fields();
      all.putAll(limits.fields());
      terminal().line(new Json(all).pretty());
    } else {
      String code = me.isTrue("admin") ? "cli.whoami.admin" : "cli.whoami.user";
      terminal().line(say(code, "user", PlainText.of(me.string("user")), "url", api().base()));
      terminal().print(LimitText.of(session(), limits));
    }
    return ExitCode.OK;
  }
}
