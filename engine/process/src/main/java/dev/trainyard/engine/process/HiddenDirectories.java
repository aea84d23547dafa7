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
 * Directories of the machine that no task of an ordinary user's server may see. Its tasks run with
 * the account's own id, so modes of files protect nothing that the account itself may read.
 */
final class HiddenDirectories {
  /**
   * The directories of container engines contain files of other containers, and mounts that appear
   * and disappear with them: a table that names such a mount can no longer be mounted later.
   */
  private static final List<String> MORE =
      List.of(
          "var/spool",
          "var/mail",
          "var/backups",
          "var/lib/docker",
          "var/lib/containerd",
          "var/lib/containers");

  /** Accounts of services have one of these as their home; without them no program would run. */
  private static final Set<String> NO_HOMES =
      Set.of("/", "/usr", "/etc", "/var", "/bin", "/sbin", "/lib", "/usr/bin", "/usr/sbin", "/dev");

  private HiddenDirectories() {}

  /**
   * @param data the server's directory, by its real path
   * @param homes directories that the account calls its home
   */
  static List<Path> of(Path data, List<String> homes, MountTable mounts) throws IOException {
    Set<Path> places = new LinkedHashSet<>();
    for (String name : Stream.concat(Layer.HIDDEN.stream(), MORE.stream()).toList()) {
      Path path = Path.of("/", name);
      places.add(path);
      addHome(places, path, mounts);
    }
    if (NO_HOMES.contains(data.toString())) {
      throw new IOException(data + " belongs to the system and can't be the data directory");
    }
    places.addAll(mounts.aliases(data));
    for (String home : homes) {
      addHome(places, Path.of(home), mounts);
    }
    // What lies in a hidden place needs no hiding of its own.
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
