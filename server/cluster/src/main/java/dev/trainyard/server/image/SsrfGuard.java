package dev.trainyard.server.image;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Detects registries whose address is the server's own node or a cloud metadata service. Docker
 * sends requests to registries from the node itself, uses plain HTTP if the address is on the node,
 * and reports the response. A user who may name any image could therefore probe every local
 * service.
 */
final class SsrfGuard {
  private static final Pattern PORT = Pattern.compile(":\\d*$");

  private static final Pattern NUMERIC_ADDRESS =
      Pattern.compile("(0[xX][0-9a-fA-F]+|\\d+)(\\.(0[xX][0-9a-fA-F]+|\\d+))*");

  private static final Pattern DOTTED_DECIMAL =
      Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  /** Addresses of the metadata services of three clouds. These addresses are not link-local. */
  private static final Set<InetAddress> METADATA_ADDRESSES =
      Stream.of("100.100.100.200", "192.0.0.192", "fd00:ec2::254")
          .map(InetAddress::ofLiteral)
          .collect(Collectors.toUnmodifiableSet());

  private SsrfGuard() {}

  /**
   * Returns whether a registry is on the server's node or is a metadata service; also true for
   * names that cannot be resolved.
   *
   * @param registry host with or without a port
   */
  static boolean isInternal(String registry) {
    String host = host(registry);
    if (host.isEmpty()) {
      return false;
    }
    if (NUMERIC_ADDRESS.matcher(host).matches() && !DOTTED_DECIMAL.matcher(host).matches()) {
      // C libraries accept octal and single-number addresses, which Java rejects or interprets
      // differently.
      return true;
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).anyMatch(SsrfGuard::isInternalAddress);
    } catch (UnknownHostException | IllegalArgumentException e) {
      return true; // Docker resolves the name later and may get another result
    }
  }

  private static String host(String registry) {
    return PORT.matcher(registry).replaceFirst("");
  }

  /**
   * Returns whether a registry has a loopback address. The engine uses plain HTTP for such a
   * registry even if no setting allows it.
   */
  static boolean isLoopback(String registry) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host(registry)))
          .anyMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException | IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isInternalAddress(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || METADATA_ADDRESSES.contains(address)
        || isOwnAddress(address);
  }

  /**
   * Returns whether a network interface of this node has the address; this includes container
   * bridges.
   */
  private static boolean isOwnAddress(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true;
    }
  }
}
