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
        && reachesDirectly(server.getHost(), address);
  }

  /**
   * Returns whether a connection to the host reaches the server at the address directly, so that no
   * other program on this host can intercept it. Also returns true if the address does not belong
   * to this host, because then the port of a container is mapped.
   */
  private static boolean reachesDirectly(String host, String address) throws IOException {
    InetAddress target = InetAddress.getByName(host); // the address that connections use
    InetAddress actual = InetAddress.getByName(address);
    return actual.equals(target)
        || (target.isAnyLocalAddress() && actual.isLoopbackAddress())
        || !SameListener.isLocal(target)
        || !SameListener.isLocal(actual);
  }
}
