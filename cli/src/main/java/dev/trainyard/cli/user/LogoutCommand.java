package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Login;
import dev.trainyard.model.AppException;
import java.io.IOException;
import java.util.Optional;

/** {@code logout}: revokes and deletes the stored token. */
@picocli.CommandLine.Command(name = "logout")
public final class LogoutCommand extends Command {
  public LogoutCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws IOException {
    Optional<Login> login = session().loginStore().find();
    if (login.isEmpty()) {
      terminal().note(say("cli.logout.none"));
      return ExitCode.OK;
    }
    try {
      session()
          .apiFor(login.get().server(), login.get().token())
          .delete("/api/v3/sessions/current");
    } catch (AppException e) {
      // The local session is deleted anyway; the token expires on the server.
      terminal().note(say("cli.logout.kept", "detail", words().say(e.text())));
    }
    session().loginStore().delete();
    terminal().line(say("cli.logout.done", "url", login.get().server()));
    return ExitCode.OK;
  }
}
