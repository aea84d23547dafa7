package dev.trainyard.model;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a container image, completed according to Docker's rules: {@code ubuntu} is {@code
 * docker.io/library/ubuntu:latest}.
 *
 * @param registry host, with the port if one is given
 * @param repository name within the registry
 * @param tag empty if only a digest is given
 * @param digest for example {@code sha256:…}, or empty
 */
public record ImageReference(String registry, String repository, String tag, String digest) {
  public static final String DOCKER_HUB = "docker.io";
  public static final String LATEST = "latest";

  private static final String OFFICIAL_PREFIX = "library/";
  private static final int MAX_NAME_LENGTH = 255;

  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?<name>[^@]*?)(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?"
              + "(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-f]{32,128}))?");
  private static final Pattern COMPONENT = Pattern.compile("[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*");
  private static final Pattern HOST =
      Pattern.compile(
          "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
              + "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
              + "|\\[[0-9a-fA-F:]{2,45}])"
              + "(?::(?<port>[0-9]{1,5}))?");

  /** A name of this form would be mistaken for an image ID. */
  private static final Pattern IMAGE_ID = Pattern.compile("[0-9a-f]{64}");

  /** Parses a name; returns empty if it is not a valid image name. */
  public static Optional<ImageReference> parse(String text) {
    // No valid name is that long. The check bounds the input of the patterns.
    if (text.length() > 2 * MAX_NAME_LENGTH + 256) {
      return Optional.empty();
    }
    Matcher parts = REFERENCE.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String name = parts.group("name");
    String tag = Optional.ofNullable(parts.group("tag")).orElse("");
    String digest = Optional.ofNullable(parts.group("digest")).orElse("");
    int slash = name.indexOf('/');
    boolean hasRegistry = slash > 0 && isHostLike(name.substring(0, slash));
    String registry = hasRegistry ? name.substring(0, slash) : DOCKER_HUB;
    String repository = hasRegistry ? name.substring(slash + 1) : name;
    if (!isHost(registry) || !isRepository(repository) || IMAGE_ID.matcher(name).matches()) {
      return Optional.empty();
    }
    if (registry.equals("index.docker.io")) {
      registry = DOCKER_HUB;
    }
    if (registry.equals(DOCKER_HUB) && repository.indexOf('/') < 0) {
      repository = OFFICIAL_PREFIX + repository;
    }
    if (tag.isEmpty() && digest.isEmpty()) {
      tag = LATEST;
    }
    return Optional.of(new ImageReference(registry, repository, tag, digest))
        .filter(reference -> reference.name().length() <= MAX_NAME_LENGTH);
  }

  /** Parses a name that is known to be valid. */
  public static ImageReference of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("invalid image name: " + text));
  }

  /** Returns whether the first component is the host of a registry rather than a namespace. */
  private static boolean isHostLike(String component) {
    return component.indexOf('.') >= 0
        || component.indexOf(':') >= 0
        || component.equals("localhost")
        || !component.equals(component.toLowerCase(Locale.ROOT));
  }

  /** Returns whether a text is the host of a registry, with or without a port. */
  public static boolean isHost(String text) {
    if (text.length() > MAX_NAME_LENGTH) {
      return false;
    }
    Matcher host = HOST.matcher(text);
    return host.matches()
        && (host.group("port") == null || Integer.parseInt(host.group("port")) <= 65_535);
  }

  /** Returns whether a text is the name of a repository within a registry. */
  public static boolean isRepository(String text) {
    if (text.isEmpty() || text.length() > MAX_NAME_LENGTH || text.endsWith("/")) {
      return false;
    }
    for (String component : text.split("/", -1)) {
      if (!COMPONENT.matcher(component).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the registry and the repository. */
  public String name() {
    return registry + "/" + repository;
  }

  /** Returns the short form that Docker shows in its lists, without default components. */
  public String familiar() {
    String name = name();
    if (registry.equals(DOCKER_HUB)) {
      name =
          repository.startsWith(OFFICIAL_PREFIX)
              ? repository.substring(OFFICIAL_PREFIX.length())
              : repository;
      // library/a/b has no short form
      name = name.indexOf('/') >= 0 && repository.startsWith(OFFICIAL_PREFIX) ? repository : name;
    }
    return name + suffix();
  }

  private String suffix() {
    return (tag.isEmpty() ? "" : ":" + tag) + (digest.isEmpty() ? "" : "@" + digest);
  }

  /** Returns the same image name in another registry. */
  public ImageReference at(String otherRegistry) {
    return new ImageReference(otherRegistry, repository, tag, digest);
  }

  /** Returns the complete name, including default components. */
  @Override
  public String toString() {
    return name() + suffix();
  }
}
