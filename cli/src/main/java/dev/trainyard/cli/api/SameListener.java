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
   * Compares ports and hosts. All addresses of the local host are equal, because a program can
   * listen on all of them. The scheme is ignored because it does not affect which program listens.
   */
  public static boolean test(URI one, URI other) {
    return port(one) == port(other)
        && (one.getHost().equalsIgnoreCase(other.getHost())
            || (isThisMachine(one.getHost()) && isThisMachine(other.getHost())));
  }

  private static int port(URI address) {
    int usual = "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
    return address.getPort() == -1 ? usual : address.getPort();
  }

  private static boolean isThisMachine(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false; // The host name does not resolve, so no token can be sent there either.
    }
  }
}
