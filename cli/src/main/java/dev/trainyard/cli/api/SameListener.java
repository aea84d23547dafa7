package dev.trainyard.cli.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;

/**
 * Determines whether two URLs lead to the same listening socket, even if they are written
 * differently.
 */
public final class SameListener {
  private SameListener() {}

  /**
   * Returns whether both URLs have the same port and host. All addresses of the local host are
   * equal, because a program can listen on all of them. The scheme is ignored because it does not
   * affect which program listens.
   */
  public static boolean isSame(URI url, URI otherUrl) {
    return port(url) == port(otherUrl)
        && (url.getHost().equalsIgnoreCase(otherUrl.getHost())
            || (isLocalHost(url.getHost()) && isLocalHost(otherUrl.getHost())));
  }

  private static int port(URI address) {
    int defaultPort = "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
    return address.getPort() == -1 ? defaultPort : address.getPort();
  }

  private static boolean isLocalHost(String host) {
    try {
      return isLocal(InetAddress.getByName(host));
    } catch (IOException e) {
      return false; // The host name does not resolve, so no request can reach this server.
    }
  }

  /** Returns whether an address belongs to this host. */
  static boolean isLocal(InetAddress address) throws IOException {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || NetworkInterface.getByInetAddress(address) != null;
  }
}
