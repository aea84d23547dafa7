package dev.trainyard.server.http;

import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Addresses and networks (CIDR) of the proxies whose information about the client is trusted. */
public final class TrustedProxies {
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private final List<Network> networks;

  private static final class Network {
    private final byte[] address;
    private final int bits;

    Network(byte[] address, int bits) {
      this.address = address;
      this.bits = bits;
    }

    boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >> (i % 8);
        if ((address[i / 8] & mask) != (other[i / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private TrustedProxies(List<Network> networks) {
    this.networks = List.copyOf(networks);
  }

  /**
   * @param list addresses or networks, separated by commas; empty for none
   * @throws IllegalArgumentException if a part is invalid; the message is that part
   */
  public static TrustedProxies parse(String list) {
    List<Network> networks = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      if (!part.isBlank()) {
        networks.add(network(part.strip()));
      }
    }
    return new TrustedProxies(networks);
  }

  private static Network network(String text) {
    int slash = text.indexOf('/');
    byte[] address = bytes(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      throw new IllegalArgumentException(text);
    }
    int bits = address.length * 8;
    if (slash >= 0) {
      String number = text.substring(slash + 1);
      if (!number.matches("\\d{1,3}") || Integer.parseInt(number) > bits) {
        throw new IllegalArgumentException(text);
      }
      bits = Integer.parseInt(number);
    }
    return new Network(address, bits);
  }

  boolean trusts(String address) {
    byte[] bytes = bytes(address);
    return bytes != null && networks.stream().anyMatch(network -> network.contains(bytes));
  }

  /**
   * Returns the address of the client. Starting with the nearest hop, this is the first hop that is
   * not a trusted proxy; if all are trusted, the last valid one. Hops beyond an untrusted hop are
   * ignored, because the client may have forged them.
   *
   * @param peer address of the nearest hop
   * @param forwardedFor all X-Forwarded-For headers, in order
   */
  String client(String peer, List<String> forwardedFor) {
    String client = peer;
    List<String> hops = new ArrayList<>();
    forwardedFor.forEach(header -> hops.addAll(Arrays.asList(header.split(",", -1))));
    for (int i = hops.size() - 1; i >= 0 && trusts(client); i--) {
      String hop = hops.get(i).strip();
      if (bytes(hop) == null) {
        break;
      }
      client = hop;
    }
    return client;
  }

  /**
   * Returns the scheme that the client used, according to the nearest proxy; empty if that proxy is
   * not trusted or does not report the scheme.
   */
  Optional<String> scheme(String peer, String forwardedProto) {
    return forwardedProto != null && trusts(peer)
        ? Optional.of(forwardedProto.strip())
        : Optional.empty();
  }

  private static byte[] bytes(String address) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
    if (bytes != null && bytes.length == 16 && isMappedIpv4(bytes)) {
      return Arrays.copyOfRange(bytes, 12, 16);
    }
    return bytes;
  }

  private static boolean isMappedIpv4(byte[] bytes) {
    for (int i = 0; i < 10; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[10] == -1 && bytes[11] == -1;
  }
}
