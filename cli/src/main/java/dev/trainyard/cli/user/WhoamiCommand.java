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
    Json currentUser = session().currentUser();
    Json limits = api().read(LimitText.path(currentUser.string("user")));
    if (session().json()) {
      Map<String, Object> fields = currentUser.fields();
      fields.putAll(limits.fields());
      terminal().line(new Json(fields).pretty());
    } else {
      String code = currentUser.isTrue("admin") ? "cli.whoami.admin" : "cli.whoami.user";
      terminal()
          .line(say(code, "user", PlainText.of(currentUser.string("user")), "url", api().base()));
      terminal().print(LimitText.format(session(), limits));
    }
    return ExitCode.OK;
  }
}
