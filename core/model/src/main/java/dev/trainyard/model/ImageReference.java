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

  private static final String OFFICIAL = "library/";
  private static final int MAX_NAME = 255;

  private static final Pattern WHOLE =
      Pattern.compile(
          "(?<name>[^@]*?)(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?"
              + "(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-f]{32,128}))?");
  private static final Pattern PART = Pattern.compile("[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*");
  private static final Pattern HOST =
      Pattern.compile(
          "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
              + "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
              + "|\\[[0-9a-fA-F:]{2,45}])"
              + "(?::(?<port>[0-9]{1,5}))?");

  /** A name of this form would be mistaken for an image ID. */
  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");

  /** Parses a name; empty if it is not a valid image name. */
  public static Optional<ImageReference> parse(String text) {
    // Longer than any valid name, which bounds the input of the patterns.
    if (text.length() > 2 * MAX_NAME + 256) {
      return Optional.empty();
    }
    Matcher whole = WHOLE.matcher(text);
    if (!whole.matches()) {
      return Optional.empty();
    }
    String name = whole.group("name");
    String tag = Optional.ofNullable(whole.group("tag")).orElse("");
    String digest = Optional.ofNullable(whole.group("digest")).orElse("");
    int slash = name.indexOf('/');
    boolean hosted = slash > 0 && isHostLike(name.substring(0, slash));
    String registry = hosted ? name.substring(0, slash) : DOCKER_HUB;
    String repository = hosted ? name.substring(slash + 1) : name;
    if (!isHost(registry) || !isRepository(repository) || ID.matcher(name).matches()) {
      return Optional.empty();
    }
    if (registry.equals("index.docker.io")) {
      registry = DOCKER_HUB;
    }
    if (registry.equals(DOCKER_HUB) && repository.indexOf('/') < 0) {
      repository = OFFICIAL + repository;
    }
    if (tag.isEmpty() && digest.isEmpty()) {
      tag = LATEST;
    }
    return Optional.of(new ImageReference(registry, repository, tag, digest))
        .filter(found -> found.name().length() <= MAX_NAME);
  }

  /** Parses a name that is known to be valid. */
  public static ImageReference of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("invalid image name: " + text));
  }

  /** Returns whether the first component is the host of a registry rather than a namespace. */
  private static boolean isHostLike(String part) {
    return part.indexOf('.') >= 0
        || part.indexOf(':') >= 0
        || part.equals("localhost")
        || !part.equals(part.toLowerCase(Locale.ROOT));
  }

  /** Returns whether a text is the host of a registry, with or without a port. */
  public static boolean isHost(String text) {
    if (text.length() > MAX_NAME) {
      return false;
    }
    Matcher host = HOST.matcher(text);
    return host.matches()
        && (host.group("port") == null || Integer.parseInt(host.group("port")) <= 65_535);
  }

  /** Returns whether a text is the name of a repository within a registry. */
  public static boolean isRepository(String text) {
    if (text.isEmpty() || text.length() > MAX_NAME || text.endsWith("/")) {
      return false;
    }
    for (String part : text.split("/", -1)) {
      if (!PART.matcher(part).matches()) {
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
      name = repository.startsWith(OFFICIAL) ? repository.substring(OFFICIAL.length()) : repository;
      // library/a/b has no short form
      name = name.indexOf('/') >= 0 && repository.startsWith(OFFICIAL) ? repository : name;
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
