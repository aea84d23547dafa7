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
 * do the same with both engines, whatever filter version the container engine has. A profile that
 * an administrator chose for the container engine is kept. Thread-safe.
 */
final class ContainerFilter {
  private static final String NAME = "name=seccomp";
  private static final String PROFILE = "profile=";

  /** Names that engines give to their built-in profiles. */
  private static final Set<String> REPLACED = Set.of("", "builtin", "default", "unconfined");

  /** The only default capability of containers that the filter depends on. */
  private static final String DEFAULT_CAPABILITY = "SYS_CHROOT";

  private final boolean supported;
  private final boolean replaces;
  private final Optional<Path> directory;
  private final Map<Set<String>, String> options = new ConcurrentHashMap<>();

  private ContainerFilter(boolean supported, boolean replaces, Optional<Path> directory) {
    this.supported = supported;
    this.replaces = replaces;
    this.directory = directory;
  }

  /**
   * @param directory directory for profiles if the engine needs them as files: Podman expects a
   *     path where Docker accepts the profile itself
   */
  static ContainerFilter of(Info info, Optional<Path> directory) {
    List<String> options = Optional.ofNullable(info.getSecurityOptions()).orElse(List.of());
    Optional<String> own = options.stream().filter(option -> option.contains(NAME)).findFirst();
    String profile =
        own.filter(option -> option.contains(PROFILE))
            .map(option -> option.substring(option.indexOf(PROFILE) + PROFILE.length()))
            .orElse("");
    boolean replaces = own.isPresent() && REPLACED.contains(profile);
    return new ContainerFilter(own.isPresent(), replaces, directory);
  }

  /** Returns whether containers have a filter, this one or the engine's own. */
  boolean isSupported() {
    return supported;
  }

  /** Returns the security option for a container, empty if the engine's own filter applies. */
  Optional<String> option(TaskRights rights) {
    if (!replaces) {
      return Optional.empty();
    }
    Set<String> capabilities = new HashSet<>(Set.of(DEFAULT_CAPABILITY));
    rights.capabilities().forEach(capability -> capabilities.add(capability.name()));
    return Optional.of(options.computeIfAbsent(Set.copyOf(capabilities), this::write));
  }

  private String write(Set<String> capabilities) {
    String json = SeccompProfile.json(capabilities);
    if (directory.isEmpty()) {
      return "seccomp=" + json;
    }
    try {
      Path file = directory.get().resolve("seccomp-%08x.json".formatted(json.hashCode()));
      Path draft = Files.createTempFile(directory.get(), "seccomp", "");
      Files.writeString(draft, json);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      return "seccomp=" + file;
    } catch (IOException e) {
      throw new UncheckedIOException("failed to write the seccomp profile", e);
    }
  }
}
