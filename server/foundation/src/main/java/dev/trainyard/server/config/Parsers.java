package dev.trainyard.server.config;

import dev.trainyard.model.DataSize;
import io.netty.util.NetUtil;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parsers for the values of settings; they throw IllegalArgumentException for invalid text. */
final class Parsers {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");
  private static final Map<String, Duration> TIME_UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));
  private static final List<String> SIZE_UNITS = List.of("", "KB", "MB", "GB", "TB");

  private Parsers() {}

  static int port(String text) {
    int port = Integer.parseInt(text);
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(text);
    }
    return port;
  }

  static int positiveNumber(String text) {
    int number = Integer.parseInt(text);
    if (number < 1) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }

  /**
   * Returns a parser of text such as {@code a=1,b=unlimited}, in which each name may occur once. In
   * the result, -1 means unlimited; an empty text yields an empty map.
   */
  static Function<String, Map<String, Long>> limits(String... names) {
    return text -> {
      Map<String, Long> numbers = new LinkedHashMap<>();
      for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
        String[] nameAndValue = part.split("=", -1);
        String value = nameAndValue.length == 2 ? nameAndValue[1].strip() : "";
        boolean unlimited = value.equals("unlimited");
        long number = unlimited ? -1 : Long.parseLong(value);
        String name = nameAndValue[0].strip();
        if ((number < 0 && !unlimited)
            || !List.of(names).contains(name)
            || numbers.put(name, number) != null) {
          throw new IllegalArgumentException(text);
        }
      }
      return numbers;
    };
  }

  static String host(String text) {
    if (!text.matches("[A-Za-z0-9.:_%-]+")) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  static Path path(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(text);
    }
    String expanded =
        text.equals("~") || text.startsWith("~/")
            ? System.getProperty("user.home") + text.substring(1)
            : text;
    return Path.of(expanded).toAbsolutePath().normalize();
  }

  /** Parses a path, also in the form {@code unix:///path} of DOCKER_HOST. */
  static Path socketPath(String text) {
    return path(text.startsWith("unix://") ? text.substring("unix://".length()) : text);
  }

  /** Parses URLs that are separated by commas. */
  static List<URI> webAddresses(String text) {
    return text.isBlank()
        ? List.of()
        : Stream.of(text.split(",", -1)).map(url -> webAddress(url.strip()).orElseThrow()).toList();
  }

  static Optional<URI> webAddress(String text) {
    URI uri = URI.create(text);
    if (!List.of("http", "https").contains(String.valueOf(uri.getScheme()))
        || uri.getHost() == null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(text);
    }
    return Optional.of(uri);
  }

  /**
   * Checks a URL and returns it unchanged, because an OpenID Connect provider must identify itself
   * by exactly the same text.
   */
  static String exactAddress(String text) {
    return text.isEmpty() ? text : webAddress(text).map(_ -> text).orElseThrow();
  }

  /** Parses the scheme, host and port of an LDAP directory. */
  static URI directoryAddress(String text) {
    URI uri = URI.create(text);
    if (!List.of("ldap", "ldaps").contains(String.valueOf(uri.getScheme()))
        || uri.getHost() == null
        || !text.equals(uri.getScheme() + "://" + uri.getRawAuthority())
        || uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(text);
    }
    return uri;
  }

  /** Parses a single line of text. */
  static String line(String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(text);
    }
    return text.strip();
  }

  /** Parses origins of web pages (scheme, host and port), separated by commas. */
  static List<String> origins(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(origin -> !origin.isEmpty())
        .map(
            origin -> {
              URI uri = webAddress(origin).orElseThrow();
              if (!origin.equals(uri.getScheme() + "://" + uri.getRawAuthority())
                  || uri.getRawUserInfo() != null) {
                throw new IllegalArgumentException(text);
              }
              return origin;
            })
        .toList();
  }

  /**
   * Parses text such as {@code 500ms}, {@code 30s}, {@code 5m}, {@code 12h} or {@code 7d}; the
   * default unit is seconds.
   */
  static Duration duration(String text) {
    Matcher amount = amount(text);
    String unit = amount.group(2).isEmpty() ? "s" : amount.group(2).toLowerCase(Locale.ROOT);
    if (!TIME_UNITS.containsKey(unit)) {
      throw new IllegalArgumentException(text);
    }
    try {
      return TIME_UNITS.get(unit).multipliedBy(Long.parseLong(amount.group(1)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static Duration positiveDuration(String text) {
    Duration duration = duration(text);
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(text);
    }
    return duration;
  }

  /**
   * Parses text such as {@code 4096}, {@code 64KB}, {@code 512MB} or {@code 1GB}; the default unit
   * is bytes, and 1KB is 1,024 bytes.
   */
  static DataSize size(String text) {
    Matcher amount = amount(text);
    int power = SIZE_UNITS.indexOf(amount.group(2).toUpperCase(Locale.ROOT));
    if (power < 0) {
      throw new IllegalArgumentException(text);
    }
    try {
      return new DataSize(Math.multiplyExact(Long.parseLong(amount.group(1)), 1L << (10 * power)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static Function<String, String> oneOf(String... choices) {
    return text -> {
      if (!Arrays.asList(choices).contains(text)) {
        throw new IllegalArgumentException(text);
      }
      return text;
    };
  }

  /**
   * Parses an IPv4 network with a prefix length from 8 to 22, which is large enough for many
   * subnets.
   */
  static String network4(String text) {
    int slash = text.indexOf('/');
    int bits = slash < 0 ? -1 : positiveNumber(text.substring(slash + 1));
    if (bits < 8 || bits > 22 || !NetUtil.isValidIpV4Address(text.substring(0, slash))) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  /** Parses a list of IPv4 or IPv6 addresses, separated by commas. */
  static List<String> addresses(String text) {
    if (text.isBlank()) {
      return List.of();
    }
    List<String> addresses = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    for (String address : addresses) {
      if (!NetUtil.isValidIpV4Address(address) && !NetUtil.isValidIpV6Address(address)) {
        throw new IllegalArgumentException(address);
      }
    }
    return addresses;
  }

  static <T> Function<String, Optional<T>> optional(Function<String, T> parser) {
    return text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text));
  }

  /** Returns a parser that yields empty for the given word, which means no limit. */
  static <T> Function<String, Optional<T>> unless(String word, Function<String, T> parser) {
    return text -> text.equals(word) ? Optional.empty() : Optional.of(parser.apply(text));
  }

  /** Like {@link #unless}, for {@code off} or 0. */
  static <T> Function<String, Optional<T>> unlessOff(Function<String, T> parser) {
    return text ->
        text.equals("off") || text.equals("0") ? Optional.empty() : Optional.of(parser.apply(text));
  }

  private static Matcher amount(String text) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches()) {
      throw new IllegalArgumentException(text);
    }
    return amount;
  }

  static boolean flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0", "" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }
}
