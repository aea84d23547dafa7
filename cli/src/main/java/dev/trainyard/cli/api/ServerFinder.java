package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Selects the server and the credentials. Uses the first of these that exists:
 *
 * <ol>
 *   <li>the server given by an option or variable
 *   <li>the server of the data directory given by an option or variable
 *   <li>the server of the stored login
 *   <li>the server of the default data directory
 *   <li>the default URL
 * </ol>
 */
public record ServerFinder(Login.Store logins, Path data, boolean isDataDirectoryGiven) {
  public static final String DEFAULT_URL = "http://127.0.0.1:9286";

  /**
   * The selected server.
   *
   * @param isLocal whether this is the server of the data directory, so that {@code run} may start
   *     it if it is not running
   * @param isTokenFromDataDirectory whether the server stored the token in the data directory
   */
  public record SelectedServer(
      URI address,
      String token,
      Optional<String> user,
      boolean isLocal,
      boolean isTokenFromDataDirectory) {}

  public SelectedServer find(String server, String token) {
    SelectedServer selected =
        server == null || server.isEmpty() ? implicitServer() : explicitServer(server);
    return token == null || token.isEmpty()
        ? selected
        : new SelectedServer(
            selected.address(), token, Optional.empty(), selected.isLocal(), false);
  }

  private SelectedServer explicitServer(String server) {
    URI address = address(server);
    Optional<Login> login = logins.find().filter(stored -> isSameUrl(stored.server(), address));
    if (login.isPresent()) {
      return of(login.get());
    }
    boolean isLocal =
        LocalServer.find(data).filter(stored -> isSameUrl(stored.address(), address)).isPresent();
    return new SelectedServer(
        address, isLocal ? LocalServer.token(data) : "", Optional.empty(), false, isLocal);
  }

  private SelectedServer implicitServer() {
    Optional<SelectedServer> local =
        LocalServer.find(data)
            .map(
                server ->
                    new SelectedServer(
                        server.address(), LocalServer.token(data), Optional.empty(), true, true));
    Optional<SelectedServer> login = logins.find().map(ServerFinder::of);
    Optional<SelectedServer> preferred =
        isDataDirectoryGiven ? local.or(() -> login) : login.or(() -> local);
    return preferred.orElseGet(
        () -> new SelectedServer(URI.create(DEFAULT_URL), "", Optional.empty(), true, false));
  }

  private static SelectedServer of(Login login) {
    return new SelectedServer(
        login.server(), login.token(), Optional.of(login.user()), false, false);
  }

  /** Parses a server address. The host is required; the default scheme is http. */
  public static URI address(String server) {
    String urlText = server.contains("://") ? server : "http://" + server;
    try {
      URI address = URI.create(urlText);
      boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      if (isHttp && address.getHost() != null && address.getRawQuery() == null) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // Continue to the exception below.
    }
    throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.bad-url", "url", server));
  }

  public static boolean isSameUrl(URI url, URI otherUrl) {
    return withoutTrailingSlash(url).equals(withoutTrailingSlash(otherUrl));
  }

  private static String withoutTrailingSlash(URI address) {
    String text = address.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
