package dev.trainyard.server.image;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Tells registries that would be the server's own machine, or the place where clouds tell a machine
 * its secrets. Docker asks from the machine itself, without TLS where the machine is meant, and
 * tells what was answered: whoever may name any image could look into every local service by that.
 */
final class NearAddress {
  private static final Pattern PORT = Pattern.compile(":\\d*$");

  /** Numbers in ways that C libraries take for addresses and Java does not. */
  private static final Pattern ODD_NUMBERS =
      Pattern.compile("(0[xX][0-9a-fA-F]+|\\d+)(\\.(0[xX][0-9a-fA-F]+|\\d+))*");

  private NearAddress() {}

  /**
   * @param registry host with or without a port
   */
  static boolean is(String registry) {
    String host = PORT.matcher(registry).replaceFirst("");
    if (host.isEmpty()) {
      return false;
    }
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLoopbackAddress()
            || address.isAnyLocalAddress()
            || address.isLinkLocalAddress()) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException | IllegalArgumentException e) {
      // Docker will not find another name either.
      return ODD_NUMBERS.matcher(host).matches();
    }
  }
}
