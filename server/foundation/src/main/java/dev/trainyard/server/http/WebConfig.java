package dev.trainyard.server.http;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the web server needs to know.
 *
 * @param port 0 for any free one
 * @param publicUrl how people outside reach the server, if that differs from where it listens
 * @param patience how long a connection may take to send a request's head, or to take a piece of an
 *     answer
 * @param load what all clients together may occupy
 */
public record WebConfig(
    String host,
    int port,
    Optional<Tls> tls,
    Optional<URI> publicUrl,
    TrustedProxies trustedProxies,
    Duration patience,
    LoadLimits load) {

  public WebConfig(
      String host,
      int port,
      Optional<Tls> tls,
      Optional<URI> publicUrl,
      TrustedProxies trustedProxies,
      Duration patience) {
    this(host, port, tls, publicUrl, trustedProxies, patience, LoadLimits.ofThisProcess());
  }

  WebConfig with(LoadLimits other) {
    return new WebConfig(host, port, tls, publicUrl, trustedProxies, patience, other);
  }

  /** PEM files. */
  public record Tls(Path certificate, Path key) {}

  public static WebConfig local(int port) {
    return new WebConfig(
        "127.0.0.1",
        port,
        Optional.empty(),
        Optional.empty(),
        TrustedProxies.NONE,
        Duration.ofSeconds(60));
  }
}
