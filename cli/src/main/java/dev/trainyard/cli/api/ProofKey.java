package dev.trainyard.cli.api;

import dev.trainyard.model.ServerProof;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;

/**
 * The key with which a local server proves that it wrote its data directory.
 *
 * @param provesAddress whether the server also proves the address at which it received the
 *     challenge; false for an older server
 */
public record ProofKey(String key, boolean provesAddress) {
  /**
   * Returns whether a response to a challenge proves that the server itself listens at the URL to
   * which the challenge was sent.
   *
   * @throws IOException if the response has no proof
   */
  boolean isProven(String challenge, Json response, URI server) throws IOException {
    if (!provesAddress) {
      return ServerProof.isProof(key, challenge, response.string("proof"));
    }
    String address = response.string("address");
    return ServerProof.isProof(key, challenge, address, response.string("addressProof"))
        && leadsTo(server.getHost(), address);
  }

  /**
   * Returns whether a connection to a host name can reach the server at an address without a
   * program on this host in between. If the address does not belong to this host, the server runs
   * in a container and its port is mapped.
   */
  private static boolean leadsTo(String host, String address) throws IOException {
    InetAddress target = InetAddress.getByName(host); // the one that connections use
    InetAddress actual = InetAddress.getByName(address);
    return actual.equals(target)
        || (target.isAnyLocalAddress() && actual.isLoopbackAddress())
        || !SameListener.isLocal(target)
        || !SameListener.isLocal(actual);
  }
}
