package dev.trainyard.it;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Cookies by server and path, sent as browsers send them; the JDK's own sends those with an age in
 * a form that nobody else does.
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
      boolean gone = pair[1].isEmpty();
      for (int i = 1; i < parts.length; i++) {
        String attribute = parts[i].strip();
        String lower = attribute.toLowerCase(Locale.ROOT);
        if (lower.startsWith("path=")) {
          path = attribute.substring("path=".length());
        }
        gone |= lower.equals("max-age=0");
      }
      Key key = new Key(from.getAuthority(), path, pair[0]);
      if (gone) {
        values.remove(key);
      } else {
        values.put(key, pair[1]);
      }
    }
  }

  /** The header for an address; empty if there is nothing to send. */
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
