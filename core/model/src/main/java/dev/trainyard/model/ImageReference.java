package dev.trainyard.model;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a container image, completed by Docker's rules: {@code ubuntu} is {@code
 * docker.io/library/ubuntu:latest}.
 *
 * @param registry host, with a port where one is named
 * @param repository within the registry
 * @param tag empty where only a digest says which
 * @param digest as in {@code sha256:…}, or empty
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

  /** What alone would be mistaken for the id of an image. */
  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");

  /** Empty for what can't be the name of an image. */
  public static Optional<ImageReference> parse(String text) {
    // Longer than any valid one; patterns never see more.
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

  /** For names that are known to be good. */
  public static ImageReference of(String text) {
    return parse(text).orElseThrow(() -> new IllegalArgumentException("no image name: " + text));
  }

  /** Whether a first part is meant as the host of a registry and not as somebody's name. */
  private static boolean isHostLike(String part) {
    return part.indexOf('.') >= 0
        || part.indexOf(':') >= 0
        || part.equals("localhost")
        || !part.equals(part.toLowerCase(Locale.ROOT));
  }

  /** Whether a text is the host of a registry, with or without a port. */
  public static boolean isHost(String text) {
    if (text.length() > MAX_NAME) {
      return false;
    }
    Matcher host = HOST.matcher(text);
    return host.matches()
        && (host.group("port") == null || Integer.parseInt(host.group("port")) <= 65_535);
  }

  /** Whether a text is the name of a repository within a registry. */
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

  /** Registry and repository. */
  public String name() {
    return registry + "/" + repository;
  }

  /** What Docker calls it in its lists: without what goes without saying. */
  public String familiar() {
    String name = name();
    if (registry.equals(DOCKER_HUB)) {
      name = repository.startsWith(OFFICIAL) ? repository.substring(OFFICIAL.length()) : repository;
      // library/a/b is nobody's short name
      name = name.indexOf('/') >= 0 && repository.startsWith(OFFICIAL) ? repository : name;
    }
    return name + suffix();
  }

  private String suffix() {
    return (tag.isEmpty() ? "" : ":" + tag) + (digest.isEmpty() ? "" : "@" + digest);
  }

  /** The same image in another registry. */
  public ImageReference at(String otherRegistry) {
    return new ImageReference(otherRegistry, repository, tag, digest);
  }

  /** Everything, also what goes without saying. */
  @Override
  public String toString() {
    return name() + suffix();
  }
}
