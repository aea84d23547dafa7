package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Directories of the host that are hidden from tasks if the server runs as an ordinary user. Tasks
 * then run with the account's own user ID, so file modes do not protect files of the account.
 */
final class HiddenDirectories {
  /**
   * Directories to hide in addition to {@link Layer#HIDDEN_DIRECTORIES}. The directories of
   * container engines contain files of containers, and mounts that exist only while a container
   * runs: a task whose mount table contains such a mount may fail to start later.
   */
  private static final List<String> ADDITIONAL_DIRECTORIES =
      List.of(
          "var/spool",
          "var/mail",
          "var/backups",
          "var/lib/docker",
          "var/lib/containerd",
          "var/lib/containers");

  /**
   * Directories that are never hidden, because programs need them; some service accounts have one
   * of them as their home directory.
   */
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("/", "/usr", "/etc", "/var", "/bin", "/sbin", "/lib", "/usr/bin", "/usr/sbin", "/dev");

  private HiddenDirectories() {}

  /**
   * @param data the server's data directory, by its real path
   * @param homes home directories of the account
   */
  static List<Path> of(Path data, List<String> homes, MountTable mounts) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    for (String name :
        Stream.concat(Layer.HIDDEN_DIRECTORIES.stream(), ADDITIONAL_DIRECTORIES.stream())
            .toList()) {
      Path path = Path.of("/", name);
      directories.add(path);
      addHome(directories, path, mounts);
    }
    if (SYSTEM_DIRECTORIES.contains(data.toString())) {
      throw new IOException(data + " is a system directory and cannot be the data directory");
    }
    directories.addAll(mounts.aliases(data));
    for (String home : homes) {
      addHome(directories, Path.of(home), mounts);
    }
    // A path below a hidden directory is hidden already.
    directories.removeIf(
        directory ->
            directories.stream().anyMatch(o -> !o.equals(directory) && directory.startsWith(o)));
    return List.copyOf(directories);
  }

  private static void addHome(Set<Path> directories, Path home, MountTable mounts)
      throws IOException {
    if (home.isAbsolute() && Files.isDirectory(home)) {
      Path realPath = home.toRealPath();
      if (!SYSTEM_DIRECTORIES.contains(realPath.toString())) {
        directories.addAll(mounts.aliases(realPath));
      }
    }
  }

  static List<String> homesOfThisAccount() {
    List<String> homes = new ArrayList<>();
    homes.add(System.getProperty("user.home", ""));
    homes.add(System.getenv().getOrDefault("HOME", ""));
    homes.removeIf(String::isEmpty);
    return homes;
  }
}
