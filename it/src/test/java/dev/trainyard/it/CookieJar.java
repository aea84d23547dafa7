package dev.trainyard.it;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Stores cookies by server and path, and sends them in the format of browsers. Replaces the JDK's
 * cookie manager, which sends cookies that have a maximum age in a format that browsers do not use.
 */
final class CookieJar {
  private final Map<Key, String> values = new TreeMap<>();

  private record Key(String server, String path, String name) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return toString().compareTo(other.toString());
    }
  }

  void keep(URI from, List<String> cookies) {
    for (String cookie : cookies) {
      String[] parts = cookie.split(";", -1);
      String[] pair = parts[0].split("=", 2);
      String path = "/";
      boolean deleted = pair[1].isEmpty();
      for (int i = 1; i < parts.length; i++) {
        String attribute = parts[i].strip();
        String lower = attribute.toLowerCase(Locale.ROOT);
        if (lower.startsWith("path=")) {
          path = attribute.substring("path=".length());
        }
        deleted |= lower.equals("max-age=0");
      }
      Key key = new Key(from.getAuthority(), path, pair[0]);
      if (deleted) {
        values.remove(key);
      } else {
        values.put(key, pair[1]);
      }
    }
  }

  /**
   * Returns the value of the Cookie header for a URL; empty if there are no cookies for this URL.
   */
  Optional<String> of(URI to) {
    String header =
        values.entrySet().stream()
            .filter(cookie -> cookie.getKey().server().equals(to.getAuthority()))
            .filter(cookie -> to.getPath().startsWith(cookie.getKey().path()))
            .map(cookie -> cookie.getKey().name() + "=" + cookie.getValue())
            .collect(Collectors.joining("; "));
    return header.isEmpty() ? Optional.empty() : Optional.of(header);
  }

  Optional<String> value(String name) {
    return values.entrySet().stream()
        .filter(cookie -> cookie.getKey().name().equals(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
