package dev.trainyard.cli;

import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.cli.api.Login;
import dev.trainyard.cli.api.ProofKey;
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
  private CommandLine parsedCommand;
  private ServerFinder.SelectedServer server;
  private ApiClient api;

  Session(CliEnvironment cliEnvironment, Localizer localizer) {
    this.cliEnvironment = cliEnvironment;
    this.localizer = localizer;
    this.terminal = cliEnvironment.terminal();
  }

  public CliEnvironment environment() {
    return cliEnvironment;
  }

  public Localizer localizer() {
    return localizer;
  }

  Globals globals() {
    return globals;
  }

  /** Stores the parsed command and applies the global options. */
  void applyOptions(CommandLine command) {
    parsedCommand = command;
    localizer.addOptionsToHints(globals.hintOptions());
    if (globals.noColor) {
      terminal = terminal.withoutColors();
    }
  }

  /** Returns a usage error that the parser cannot detect. */
  public CommandLine.ParameterException usageError(String code, Object... namesAndValues) {
    return new CommandLine.ParameterException(parsedCommand, localizer.text(code, namesAndValues));
  }

  public Terminal terminal() {
    return terminal;
  }

  public boolean json() {
    return globals.json;
  }

  /** Returns the value of the option {@code --server}; ignores the environment variable. */
  public Optional<String> namedServer() {
    return Optional.ofNullable(globals.server);
  }

  public Login.Store loginStore() {
    return Login.Store.of(cliEnvironment.env(), cliEnvironment.home());
  }

  public boolean isDataDirectoryGiven() {
    return globals.data != null
        || !cliEnvironment.env().getOrDefault("TRAINYARD_DATA", "").isEmpty();
  }

  public Path data() {
    String configuredPath =
        globals.data != null ? globals.data : cliEnvironment.env().get("TRAINYARD_DATA");
    Path data =
        configuredPath == null || configuredPath.isEmpty()
            ? cliEnvironment.home().resolve(".trainyard")
            : Path.of(configuredPath);
    return data.toAbsolutePath().normalize();
  }

  public ServerFinder.SelectedServer server() {
    if (server == null) {
      String serverUrl =
          globals.server != null ? globals.server : cliEnvironment.env().get("TRAINYARD_SERVER");
      String token =
          globals.token != null ? globals.token : cliEnvironment.env().get("TRAINYARD_TOKEN");
      server =
          new ServerFinder(loginStore(), data(), isDataDirectoryGiven()).find(serverUrl, token);
    }
    return server;
  }

  public ApiClient api() {
    if (api == null) {
      ServerFinder.SelectedServer server = server();
      api =
          new ApiClient(
              server.address(),
              server.token(),
              trust(server.address()),
              () -> server.isTokenFromDataDirectory() ? LocalServer.token(data()) : server.token(),
              () -> proofKey(server.address()),
              rateLimitRetry());
    }
    return api;
  }

  /**
   * Returns a client that sends no token, for signing in.
   *
   * @param server URL of the server; null for the current server
   */
  public ApiClient anonymousApi(String server) {
    URI address = server == null ? server().address() : ServerFinder.address(server);
    return new ApiClient(
        address, "", trust(address), () -> "", () -> proofKey(address), rateLimitRetry());
  }

  /** Returns a client for the given server, regardless of the configuration. */
  public ApiClient apiFor(URI server, String token) {
    return new ApiClient(
        server, token, trust(server), () -> token, () -> proofKey(server), rateLimitRetry());
  }

  /**
   * Returns the proof key of a local server. Reads it from the data directory at each call because
   * a restarted server has another key.
   */
  private Optional<ProofKey> proofKey(URI server) {
    return LocalServer.findLast(data())
        .filter(local -> SameListener.isSame(local.address(), server))
        .flatMap(LocalServer::proofKey);
  }

  private RateLimitRetry rateLimitRetry() {
    return RateLimitRetry.reportingTo(message -> terminal.note(localizer.text(message)));
  }

  /**
   * Discards the selected server and its client, so that the next call looks them up again. Called
   * after a server was started.
   */
  public void refresh() {
    server = null;
    api = null;
  }

  public String user() {
    return server().user().orElseGet(() -> currentUser().string("user"));
  }

  public Json currentUser() {
    return api().read("/api/v3/me");
  }

  /** Returns the absolute path of the certificate file given by an option or variable. */
  public Optional<Path> givenCaCert() {
    String file =
        globals.caCert != null ? globals.caCert : cliEnvironment.env().get("TRAINYARD_CA_CERT");
    return file == null || file.isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(file).toAbsolutePath().normalize());
  }

  private Optional<Path> storedCaCert(URI server) {
    return loginStore()
        .find()
        .filter(login -> ServerFinder.isSameUrl(login.server(), server))
        .flatMap(Login::caCert);
  }

  /**
   * Returns the certificates to trust, from the first of these that exists:
   *
   * <ol>
   *   <li>the file given by the option {@code --ca-cert} or the variable TRAINYARD_CA_CERT
   *   <li>the file that the stored login for this server names
   *   <li>the certificate in the data directory, if this is the server of the data directory
   *   <li>the Java trust store
   * </ol>
   */
  private Trust trust(URI server) {
    String certificateFile =
        givenCaCert().or(() -> storedCaCert(server)).map(Path::toString).orElse("");
    if (certificateFile.isEmpty()) {
      return LocalServer.find(data())
          .filter(local -> ServerFinder.isSameUrl(local.address(), server))
          .map(LocalServer::trust)
          .orElse(Trust.DEFAULT);
    }
    try {
      return Trust.fromFile(Path.of(certificateFile));
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.ca-cert", "file", certificateFile)
              .with("detail", String.valueOf(e.getMessage())));
    }
  }
}
