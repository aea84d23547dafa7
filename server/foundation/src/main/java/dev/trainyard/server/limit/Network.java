package dev.trainyard.server.limit;

import io.netty.util.NetUtil;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;

/** Determines which addresses count as one origin of requests. */
public final class Network {
  private static final int PREFIX_BYTES = 8;
  private static final String LOOPBACK = "127.0.0.1";
  private static final byte[] IPV6_LOOPBACK = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

  private Network() {}

  /**
   * Returns the key under which requests from an address are counted. For IPv6 this is its /64
   * network, because the holder of one address can usually use 2^64 addresses. All loopback
   * addresses have the same key, because every program on the host can choose among 2^24 addresses.
   * For any other address, the key is the address itself.
   */
  public static String of(String address) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
    if (bytes == null) {
      return address;
    }
    byte[] canonical = withoutMapping(bytes);
    if (isLoopback(canonical)) {
      return LOOPBACK;
    }
    return canonical.length == 4
        ? NetUtil.bytesToIpAddress(canonical)
        : HexFormat.of().formatHex(canonical, 0, PREFIX_BYTES) + "/64";
  }

  /**
   * Returns whether the address is a loopback address. All users, tasks, tunnels and unconfigured
   * proxies of the host share these addresses.
   */
  public static boolean isLoopback(String address) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
    return bytes != null && isLoopback(withoutMapping(bytes));
  }

  private static boolean isLoopback(byte[] canonical) {
    return canonical.length == 4 ? canonical[0] == 127 : Arrays.equals(canonical, IPV6_LOOPBACK);
  }

  /** Returns whether traffic to this address does not leave the host. */
  public static boolean isLocalHost(URI address) {
    String host = String.valueOf(address.getHost());
    return host.equals("localhost") || host.matches("127(\\.\\d+){3}") || host.equals("[::1]");
  }

  /** Converts an IPv4-mapped IPv6 address to IPv4. */
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
