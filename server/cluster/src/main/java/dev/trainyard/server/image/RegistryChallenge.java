package dev.trainyard.server.image;

import dev.trainyard.model.ImageReference;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An authentication challenge of a registry. The challenge requests a password, or a token from a
 * specified address.
 */
record RegistryChallenge(boolean isBasic, Map<String, String> values) {
  private static final Pattern VALUE = Pattern.compile("([a-z]{1,20})=\"([^\"]{0,1000})\"");

  /** Returns the challenge; empty for unsupported schemes. */
  static Optional<RegistryChallenge> parse(String header) {
    String lower = header.toLowerCase(Locale.ROOT);
    if (!lower.startsWith("basic ") && !lower.startsWith("bearer ")) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    Matcher matcher = VALUE.matcher(header);
    while (matcher.find()) {
      values.put(matcher.group(1), matcher.group(2));
    }
    return Optional.of(new RegistryChallenge(lower.startsWith("basic "), Map.copyOf(values)));
  }

  /**
   * Returns the address from which to fetch a token; empty if the address is invalid or not
   * allowed. The registry chooses the address, in many cases on another host. Because the registry
   * could direct requests and a user's password anywhere, another host must use HTTPS and must not
   * be internal. A registry without TLS must not refer to another host at all, because an attacker
   * on the network could forge the responses of such a registry.
   *
   * @param isInternal returns whether a host is the server's own node or a metadata service
   */
  Optional<URI> tokenAddress(Registry registry, Predicate<String> isInternal) {
    URI realm;
    try {
      realm = URI.create(values.getOrDefault("realm", ""));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    String host = host(registry.host());
    boolean isDockerHub = registry.host().equals(ImageReference.DOCKER_HUB);
    boolean isOwnHost =
        host.equals(realm.getHost()) || (isDockerHub && "auth.docker.io".equals(realm.getHost()));
    boolean https = "https".equalsIgnoreCase(realm.getScheme());
    boolean http = "http".equalsIgnoreCase(realm.getScheme());
    boolean wellFormed =
        realm.getHost() != null
            && realm.getRawQuery() == null
            && realm.getRawFragment() == null
            && realm.getRawUserInfo() == null;
    boolean schemeAllowed =
        isOwnHost ? https || (http && registry.plainHttp()) : https && !registry.plainHttp();
    if (!wellFormed || !schemeAllowed || (!isOwnHost && isInternal.test(realm.getHost()))) {
      return Optional.empty();
    }
    StringBuilder address = new StringBuilder(realm.toString()).append("?client_id=trainyard");
    for (String name : new String[] {"service", "scope"}) {
      if (values.containsKey(name)) {
        address.append('&').append(name).append('=');
        address.append(URLEncoder.encode(values.get(name), StandardCharsets.UTF_8));
      }
    }
    return Optional.of(URI.create(address.toString()));
  }

  private static String host(String registry) {
    return String.valueOf(URI.create("http://" + registry).getHost());
  }
}
