package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Selects the server and the credentials: the server that was named, else that of the data
 * directory that was named, else the stored session, else the default data directory, else the
 * default address.
 */
public record ServerFinder(Login.Store logins, Path data, boolean dataNamed) {
  public static final String USUAL = "http://127.0.0.1:9286";

  /**
   * The selected server.
   *
   * @param local whether it is the server of this data directory, which {@code run} may start
   * @param tokenOfData whether the token is the one that the server stored in the data directory
   */
  public record Found(
      URI address, String token, Optional<String> user, boolean local, boolean tokenOfData) {}

  public Found find(String server, String token) {
    Found found = server == null || server.isEmpty() ? unnamed() : named(server);
    return token == null || token.isEmpty()
        ? found
        : new Found(found.address(), token, Optional.empty(), found.local(), false);
  }

  private Found named(String server) {
    URI address = address(server);
    Optional<Login> login = logins.find().filter(known -> isSame(known.server(), address));
    if (login.isPresent()) {
      return of(login.get());
    }
    boolean local =
        LocalServer.find(data).filter(known -> isSame(known.address(), address)).isPresent();
    return new Found(address, local ? LocalServer.token(data) : "", Optional.empty(), false, local);
  }

  private Found unnamed() {
    Optional<Found> local =
        LocalServer.find(data)
            .map(
                server ->
                    new Found(
                        server.address(), LocalServer.token(data), Optional.empty(), true, true));
    Optional<Found> login = logins.find().map(ServerFinder::of);
    Optional<Found> first = dataNamed ? local.or(() -> login) : login.or(() -> local);
    return first.orElseGet(() -> new Found(URI.create(USUAL), "", Optional.empty(), true, false));
  }

  private static Found of(Login login) {
    return new Found(login.server(), login.token(), Optional.of(login.user()), false, false);
  }

  /** Parses a server address: a port alone is not sufficient, a missing scheme means http. */
  public static URI address(String server) {
    String full = server.contains("://") ? server : "http://" + server;
    try {
      URI address = URI.create(full);
      boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      if (web && address.getHost() != null && address.getRawQuery() == null) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // Continue to the exception below.
    }
    throw new AppException(ErrorCode.BAD_REQUEST, Message.of("cli.bad-url", "url", server));
  }

  public static boolean isSame(URI one, URI other) {
    return trimmed(one).equals(trimmed(other));
  }

  private static String trimmed(URI address) {
    String text = address.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
