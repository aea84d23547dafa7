package dev.trainyard.server.limit;

import io.netty.util.NetUtil;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;

/** What counts as one place where requests come from. */
public final class Network {
  private static final int HALF = 8;

  private Network() {}

  /** The address itself; of IPv6 its /64, because who has one address there has 2^64 of them. */
  public static String of(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
    if (bytes == null) {
      return address;
    }
    byte[] plain = withoutMapping(bytes);
    return plain.length == 4
        ? NetUtil.bytesToIpAddress(plain)
        : HexFormat.of().formatHex(plain, 0, HALF) + "/64";
  }

  /**
   * Whether it is the machine's own address, which all its users, tasks, tunnels and untold proxies
   * share.
   */
  public static boolean isLoopback(String address) {
    return address.startsWith("127.")
        || address.equals("::1")
        || address.equals("0:0:0:0:0:0:0:1")
        || address.startsWith("::ffff:127.");
  }

  /** Whether what is said to this address does not leave the machine. */
  public static boolean isThisMachine(URI address) {
    String host = String.valueOf(address.getHost());
    return host.equals("localhost") || host.matches("127(\\.\\d+){3}") || host.equals("[::1]");
  }

  /** IPv4 may come in the clothes of IPv6. */
  private static byte[] withoutMapping(byte[] bytes) {
    if (bytes.length != 16) {
      return bytes;
    }
    for (int i = 0; i < 10; i++) {
      if (bytes[i] != 0) {
        return bytes;
      }
    }
    return bytes[10] == -1 && bytes[11] == -1 ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
  }
}
