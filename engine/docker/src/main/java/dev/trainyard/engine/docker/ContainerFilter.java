package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.TaskRights;
import dev.trainyard.engine.linux.seccomp.SeccompProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives containers the same system call filter as tasks of the process engine, so that a task can
 * use the same system calls with both engines, regardless of the version of the container engine. A
 * profile that an administrator chose for the container engine is kept. Thread-safe.
 */
final class ContainerFilter {
  private static final String SECCOMP_OPTION = "name=seccomp";
  private static final String PROFILE_KEY = "profile=";

  /** Names of the engines' default profiles, which this filter replaces. */
  private static final Set<String> REPLACEABLE_PROFILES =
      Set.of("", "builtin", "default", "unconfined");

  /** The only default capability of containers that the filter depends on. */
  private static final String DEFAULT_CAPABILITY = "SYS_CHROOT";

  private final boolean supported;
  private final boolean replacesProfile;
  private final Optional<Path> profileDirectory;
  private final Map<Set<String>, String> options = new ConcurrentHashMap<>();

  private ContainerFilter(
      boolean supported, boolean replacesProfile, Optional<Path> profileDirectory) {
    this.supported = supported;
    this.replacesProfile = replacesProfile;
    this.profileDirectory = profileDirectory;
  }

  /**
   * @param profileDirectory directory for profiles if the engine needs them as files: Podman
   *     expects a path where Docker accepts the profile itself
   */
  static ContainerFilter of(Info info, Optional<Path> profileDirectory) {
    List<String> options = Optional.ofNullable(info.getSecurityOptions()).orElse(List.of());
    Optional<String> seccompOption =
        options.stream().filter(option -> option.contains(SECCOMP_OPTION)).findFirst();
    String profile =
        seccompOption
            .filter(option -> option.contains(PROFILE_KEY))
            .map(option -> option.substring(option.indexOf(PROFILE_KEY) + PROFILE_KEY.length()))
            .orElse("");
    boolean replacesProfile = seccompOption.isPresent() && REPLACEABLE_PROFILES.contains(profile);
    return new ContainerFilter(seccompOption.isPresent(), replacesProfile, profileDirectory);
  }

  /** Returns whether containers have a filter, this one or the engine's own. */
  boolean isSupported() {
    return supported;
  }

  /** Returns the security option for a container, empty if the engine's own filter applies. */
  Optional<String> option(TaskRights rights) {
    if (!replacesProfile) {
      return Optional.empty();
    }
    Set<String> capabilities = new HashSet<>(Set.of(DEFAULT_CAPABILITY));
    rights.capabilities().forEach(capability -> capabilities.add(capability.name()));
    return Optional.of(options.computeIfAbsent(Set.copyOf(capabilities), this::createOption));
  }

  private String createOption(Set<String> capabilities) {
    String json = SeccompProfile.json(capabilities);
    if (profileDirectory.isEmpty()) {
      return "seccomp=" + json;
    }
    try {
      Path file = profileDirectory.get().resolve("seccomp-%08x.json".formatted(json.hashCode()));
      Path draft = Files.createTempFile(profileDirectory.get(), "seccomp", "");
      Files.writeString(draft, json);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      return "seccomp=" + file;
    } catch (IOException e) {
      throw new UncheckedIOException("failed to write the seccomp profile", e);
    }
  }
}
