package dev.trainyard.cli.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;

/** Decides whether two addresses lead to the same listening socket, however they are written. */
public final class SameListener {
  private SameListener() {}

  /**
   * Compares ports and hosts. All addresses of this machine count as one because a program can
   * listen on all of them. The scheme does not matter: it does not change who listens.
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
      return false; // The name is unknown, so no token can be sent there either.
    }
  }
}
