package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.Login;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code login}: signs in and stores the session. */
@picocli.CommandLine.Command(name = "login")
public final class LoginCommand extends Command {
  @Parameters(paramLabel = "URL", arity = "0..1", descriptionKey = "url")
  private String url;

  @Option(
      names = {"-u", "--user"},
      paramLabel = "USER")
  private String user;

  @Option(names = "--password-stdin")
  private boolean passwordStdin;

  @Option(names = "--oidc")
  private boolean oidc;

  public LoginCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws IOException {
    ApiClient api = session().anonymousApi(url);
    Json response =
        oidc ? new BrowserSignIn(session(), passwordStdin).signIn(api) : signInWithPassword(api);
    session()
        .loginStore()
        .save(
            new Login(
                api.base(),
                response.string("user"),
                response.string("token"),
                session().givenCaCert()));
    terminal().line(text("cli.login.done", "user", response.string("user"), "url", api.base()));
    return ExitCode.OK;
  }

  private Json signInWithPassword(ApiClient api) {
    String name = user != null ? user : System.getProperty("user.name");
    String password = new SecretReader(session(), passwordStdin).read("cli.password.ask", name);
    return api.post("/api/v3/sessions", Map.of("user", name, "password", password));
  }
}
