package dev.trainyard.cli;

import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.cli.api.Login;
import dev.trainyard.cli.api.RateLimitRetry;
import dev.trainyard.cli.api.SameListener;
import dev.trainyard.cli.api.ServerFinder;
import dev.trainyard.cli.api.Trust;
import dev.trainyard.cli.terminal.Terminal;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;

/**
 * State of one invocation of the command line: environment, language, global options and server.
 */
public final class Session {
  private final CliEnvironment cliEnvironment;
  private final Localizer localizer;
  private final Globals globals = new Globals();
  private Terminal terminal;
  private CommandLine parsed;
  private ServerFinder.Found found;
  private Api api;

  Session(CliEnvironment cliEnvironment, Localizer localizer) {
    this.cliEnvironment = cliEnvironment;
    this.localizer = localizer;
    this.terminal = cliEnvironment.terminal();
  }

  public CliEnvironment environment() {
    return cliEnvironment;
  }

  public Localizer words() {
    return localizer;
  }

  Globals globals() {
    return globals;
  }

  /** Called after the options are parsed. */
  void settle(CommandLine command) {
    parsed = command;
    if (globals.noColor) {
      terminal = terminal.withoutColours();
    }
  }

  /** Returns a usage error that the parser cannot detect. */
  public CommandLine.ParameterException wrong(String code, Object... namesAndValues) {
    return new CommandLine.ParameterException(parsed, localizer.say(code, namesAndValues));
  }

  public Terminal terminal() {
    return terminal;
  }

  public boolean json() {
    return globals.json;
  }

  /** Returns the server given as an option, not by the environment. */
  public Optional<String> namedServer() {
    return Optional.ofNullable(globals.server);
  }

  public Login.Store logins() {
    return Login.Store.of(cliEnvironment.env(), cliEnvironment.home());
  }

  public boolean isDataNamed() {
    return globals.data != null
        || !cliEnvironment.env().getOrDefault("TRAINYARD_DATA", "").isEmpty();
  }

  public Path data() {
    String named = globals.data != null ? globals.data : cliEnvironment.env().get("TRAINYARD_DATA");
    Path data =
        named == null || named.isEmpty()
            ? cliEnvironment.home().resolve(".trainyard")
            : Path.of(named);
    return data.toAbsolutePath().normalize();
  }

  public ServerFinder.Found found() {
    if (found == null) {
      String server =
          globals.server != null ? globals.server : cliEnvironment.env().get("TRAINYARD_SERVER");
      String token =
          globals.token != null ? globals.token : cliEnvironment.env().get("TRAINYARD_TOKEN");
      found = new ServerFinder(logins(), data(), isDataNamed()).find(server, token);
    }
    return found;
  }

  public Api api() {
    if (api == null) {
      ServerFinder.Found server = found();
      api =
          new Api(
              server.address(),
              server.token(),
              trust(server.address()),
              () -> server.tokenOfData() ? LocalServer.token(data()) : server.token(),
              () -> proofKey(server.address()),
              slowdown());
    }
    return api;
  }

  /** Returns a client without a token for signing in, for the current or another server. */
  public Api anonymous(String server) {
    URI address = server == null ? found().address() : ServerFinder.address(server);
    return new Api(address, "", trust(address), () -> "", () -> proofKey(address), slowdown());
  }

  /** Returns a client for the given server, regardless of the configuration. */
  public Api with(URI server, String token) {
    return new Api(server, token, trust(server), () -> token, () -> proofKey(server), slowdown());
  }

  /** Reads the key again for each proof because a server that was restarted has another key. */
  private Optional<String> proofKey(URI server) {
    return LocalServer.findLast(data())
        .filter(local -> SameListener.test(local.address(), server))
        .flatMap(LocalServer::proofKey);
  }

  private RateLimitRetry slowdown() {
    return RateLimitRetry.reportingTo(message -> terminal.note(localizer.say(message)));
  }

  /** Repeats the server lookup, after a server was started. */
  public void refresh() {
    found = null;
    api = null;
  }

  public String user() {
    return found().user().orElseGet(() -> me().string("user"));
  }

  public Json me() {
    return api().read("/api/v3/me");
  }

  /**
   * Returns the trust given by {@code --ca-cert}; else, for the server of the data directory, the
   * certificate that it stored there.
   */
  private Trust trust(URI server) {
    String file =
        globals.caCert != null ? globals.caCert : cliEnvironment.env().get("TRAINYARD_CA_CERT");
    if (file == null || file.isEmpty()) {
      return LocalServer.find(data())
          .filter(local -> ServerFinder.isSame(local.address(), server))
          .map(LocalServer::trust)
          .orElse(Trust.USUAL);
    }
    try {
      return Trust.in(Path.of(file));
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.ca-cert", "file", file).with("detail", String.valueOf(e.getMessage())));
    }
  }
}
