package dev.trainyard.server.image;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells registries that would be the server's own machine, or the place where clouds tell a machine
 * its secrets. Docker asks from the machine itself, without TLS where the machine is meant, and
 * tells what was answered: whoever may name any image could look into every local service by that.
 */
final class SsrfGuard {
  private static final Pattern PORT = Pattern.compile(":\\d*$");

  private static final Pattern NUMBERS =
      Pattern.compile("(0[xX][0-9a-fA-F]+|\\d+)(\\.(0[xX][0-9a-fA-F]+|\\d+))*");

  private static final Pattern USUAL_NUMBERS =
      Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  /** Where clouds tell a machine its secrets, if not at a link-local address: three clouds' own. */
  private static final Set<InetAddress> METADATA =
      Stream.of("100.100.100.200", "192.0.0.192", "fd00:ec2::254")
          .map(InetAddress::ofLiteral)
          .collect(Collectors.toUnmodifiableSet());

  private SsrfGuard() {}

  /**
   * Also true of names that nobody can look up.
   *
   * @param registry host with or without a port
   */
  static boolean is(String registry) {
    String host = PORT.matcher(registry).replaceFirst("");
    if (host.isEmpty()) {
      return false;
    }
    if (NUMBERS.matcher(host).matches() && !USUAL_NUMBERS.matcher(host).matches()) {
      // Octal and whole numbers are addresses for C libraries, and others or none for Java.
      return true;
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).anyMatch(SsrfGuard::isNear);
    } catch (UnknownHostException | IllegalArgumentException e) {
      return true; // Docker asks later, and may be told another answer than we were
    }
  }

  private static boolean isNear(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || METADATA.contains(address);
  }
}
