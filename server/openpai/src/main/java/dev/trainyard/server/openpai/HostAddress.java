package dev.trainyard.server.openpai;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;

/** The address of this host, on which all tasks run. */
final class HostAddress {
  private HostAddress() {}

  /**
   * Returns an address of this host that other hosts may be able to reach, preferably an IPv4
   * address; 127.0.0.1 if there is none. Does not use the network.
   */
  static String find() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(HostAddress::isUsable)
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .min(Comparator.comparing(address -> !(address instanceof Inet4Address)))
          .map(InetAddress::getHostAddress)
          .map(text -> text.replaceFirst("%.*", ""))
          .orElse("127.0.0.1");
    } catch (SocketException e) {
      return "127.0.0.1";
    }
  }

  private static boolean isUsable(NetworkInterface network) {
    try {
      return network.isUp() && !network.isLoopback();
    } catch (SocketException e) {
      return false;
    }
  }
}
