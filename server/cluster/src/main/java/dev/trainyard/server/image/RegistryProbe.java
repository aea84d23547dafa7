package dev.trainyard.server.image;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.model.ImageReference;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Checks to which addresses a registry refers its clients, before the engine contacts the registry.
 * The engine runs on the host, follows every redirect and sends the login to any token address that
 * the registry specifies, so a hostile registry could cause the engine to send requests to services
 * on the host's loopback addresses. The check is best effort: a registry may respond to the engine
 * differently, and a registry that the server cannot reach is not checked, because the engine may
 * use a proxy. Thread-safe.
 */
final class RegistryProbe {
  /** Accepts every registry. */
  static final Check NONE = (_, _) -> {};

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Throws an {@link ImageException} for a registry that the engine must not use. */
  @FunctionalInterface
  interface Check {
    void require(ImageReference image, RegistryAccess access);
  }

  private final Predicate<String> isInternal;

  /**
   * @param isInternal returns whether a host is this node or a cloud's metadata service
   */
  RegistryProbe(Predicate<String> isInternal) {
    this.isInternal = isInternal;
  }

  void require(ImageReference image, RegistryAccess access) {
    String registry = image.registry();
    if (registry.equals(ImageReference.DOCKER_HUB)) {
      return;
    }
    Optional<HttpResponse<?>> response =
        access.plainHttp() ? Optional.empty() : send("https://" + registry);
    // The engine uses plain HTTP for registries on the host even if no setting allows it.
    if (response.isEmpty() && (access.plainHttp() || SsrfGuard.isLoopback(registry))) {
      response = send("http://" + registry);
    }
    response.ifPresent(received -> require(registry, access, received));
  }

  private Optional<HttpResponse<?>> send(String base) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/v2/")).timeout(TIMEOUT).build();
    // Every check creates its own HTTP client, because most servers never pull images.
    try (HttpClient http =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build()) {
      // The timeout covers only the headers, so the body is not read.
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      response.body().close();
      http.shutdownNow();
      return Optional.of(response);
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageException(ImageException.Kind.CANCELED, "interrupted", e);
    }
  }

  private void require(String registry, RegistryAccess access, HttpResponse<?> response) {
    response
        .headers()
        .firstValue("Location")
        .ifPresent(target -> requireSafe(registry, response.uri(), target, false));
    boolean needsTls =
        access.login().isPresent() && !access.plainHttp() && !SsrfGuard.isLoopback(registry);
    response.headers().allValues("WWW-Authenticate").stream()
        .flatMap(text -> RegistryChallenge.parse(text).stream())
        .filter(challenge -> !challenge.isBasic())
        .map(challenge -> challenge.values().getOrDefault("realm", ""))
        .forEach(realm -> requireSafe(registry, response.uri(), realm, needsTls));
  }

  /**
   * Rejects an unsafe address. An address on this node is accepted only if its host and port are
   * those of the registry.
   */
  private void requireSafe(String registry, URI requestedUri, String target, boolean needsTls) {
    URI address;
    try {
      address = requestedUri.resolve(target);
    } catch (IllegalArgumentException e) {
      throw unsafeRegistry(registry, "an invalid address");
    }
    String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    boolean isOwnHost =
        address.getHost() != null && authority(address).equals(authority(requestedUri));
    if (address.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
      throw unsafeRegistry(registry, "an invalid address");
    }
    if (!isOwnHost && isInternal.test(address.getHost())) {
      throw unsafeRegistry(registry, "a service on this server's node");
    }
    if (needsTls && !scheme.equals("https")) {
      throw unsafeRegistry(registry, "an address without TLS");
    }
  }

  private static String authority(URI address) {
    int defaultPort = "http".equalsIgnoreCase(address.getScheme()) ? 80 : 443;
    int port = address.getPort() < 0 ? defaultPort : address.getPort();
    return address.getHost().toLowerCase(Locale.ROOT) + ":" + port;
  }

  private static ImageException unsafeRegistry(String registry, String target) {
    return new ImageException(
        ImageException.Kind.UNREACHABLE, registry + " sends its clients to " + target);
  }
}
