package dev.trainyard.server.http;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Configuration of the web server.
 *
 * @param port the port to listen on; 0 for any free port
 * @param publicUrls the URLs for external clients, if they differ from the listening address; links
 *     use the first URL
 * @param timeout maximum time for a connection to send a request head, or to read a piece of a
 *     response
 * @param load limits on the resources used by all clients together
 */
public record WebConfig(
    String host,
    int port,
    Optional<Tls> tls,
    List<URI> publicUrls,
    TrustedProxies trustedProxies,
    Duration timeout,
    LoadLimits load) {

  public WebConfig(
      String host,
      int port,
      Optional<Tls> tls,
      List<URI> publicUrls,
      TrustedProxies trustedProxies,
      Duration timeout) {
    this(host, port, tls, publicUrls, trustedProxies, timeout, LoadLimits.ofThisProcess());
  }

  WebConfig with(LoadLimits other) {
    return new WebConfig(host, port, tls, publicUrls, trustedProxies, timeout, other);
  }

  /** Certificate and private key, as PEM files. */
  public record Tls(Path certificate, Path key) {}

  public static WebConfig local(int port) {
    return new WebConfig(
        "127.0.0.1",
        port,
        Optional.empty(),
        List.of(),
        TrustedProxies.NONE,
        Duration.ofSeconds(60));
  }
}
