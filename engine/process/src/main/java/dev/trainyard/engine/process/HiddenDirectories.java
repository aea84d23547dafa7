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
 * then run with the account's own user ID, so file modes protect nothing that the account can read.
 */
final class HiddenDirectories {
  /**
   * The directories of container engines contain files of other containers, and mounts that come
   * and go with them: a table that names such a mount may fail to mount later.
   */
  private static final List<String> MORE =
      List.of(
          "var/spool",
          "var/mail",
          "var/backups",
          "var/lib/docker",
          "var/lib/containerd",
          "var/lib/containers");

  /** Service accounts have these as their home directories; without them no program could run. */
  private static final Set<String> NO_HOMES =
      Set.of("/", "/usr", "/etc", "/var", "/bin", "/sbin", "/lib", "/usr/bin", "/usr/sbin", "/dev");

  private HiddenDirectories() {}

  /**
   * @param data the server's data directory, by its real path
   * @param homes home directories of the account
   */
  static List<Path> of(Path data, List<String> homes, MountTable mounts) throws IOException {
    Set<Path> places = new LinkedHashSet<>();
    for (String name : Stream.concat(Layer.HIDDEN.stream(), MORE.stream()).toList()) {
      Path path = Path.of("/", name);
      places.add(path);
      addHome(places, path, mounts);
    }
    if (NO_HOMES.contains(data.toString())) {
      throw new IOException(data + " is a system directory and cannot be the data directory");
    }
    places.addAll(mounts.aliases(data));
    for (String home : homes) {
      addHome(places, Path.of(home), mounts);
    }
    // A path below a hidden directory is hidden already.
    places.removeIf(
        place -> places.stream().anyMatch(o -> !o.equals(place) && place.startsWith(o)));
    return List.copyOf(places);
  }

  private static void addHome(Set<Path> places, Path home, MountTable mounts) throws IOException {
    if (home.isAbsolute() && Files.isDirectory(home)) {
      Path real = home.toRealPath();
      if (!NO_HOMES.contains(real.toString())) {
        places.addAll(mounts.aliases(real));
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
