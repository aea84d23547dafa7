package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The overlay layer over the host's root file system, filled before it is mounted. It defines which
 * directories are hidden or fresh, and contains the task's own versions of files.
 *
 * <p>A directory is hidden by an opaque directory of the same name in the layer: the kernel then
 * ignores the host's directory. This needs no mount, and the task can use the directory.
 */
final class Layer {
  /** Directories of users, of services and of earlier boots, hidden regardless of their modes. */
  static final List<String> HIDDEN =
      List.of(
          "root",
          "home",
          "run",
          "boot",
          "mnt",
          "media",
          "srv",
          "lost+found",
          "var/log",
          "tmp",
          "var/tmp");

  private static final List<String> FOR_EVERYBODY = List.of("tmp", "var/tmp");

  /** Directories that package managers need and whose host versions ordinary users cannot read. */
  private static final List<String> FRESH_DIRECTORIES =
      List.of("var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/cache/ldconfig");

  /**
   * Mount points that every task needs; created here once, so they need not be created for each
   * task.
   */
  static final List<String> MOUNT_POINTS = List.of("userhome", "gdata", "gshare", "usr/local/pai");

  /**
   * The file where login services look for variables, without the leading slash; private to each
   * task.
   */
  static final String ENVIRONMENT = "etc/environment";

  static final String ENVIRONMENT_FILE = RootPlan.PLATFORM_DIRECTORY + "/" + LaunchScript.EXPORTS;

  private static final List<String> FRESH_FILES =
      List.of(
          "var/lib/dpkg/lock",
          "var/lib/dpkg/lock-frontend",
          "var/lib/dpkg/triggers/Lock",
          "var/lib/apt/lists/lock",
          "var/cache/apt/archives/lock");

  /** Returns the mode of a hidden directory with this absolute path. */
  static int modeOf(Path hidden) {
    return FOR_EVERYBODY.contains(hidden.toString().substring(1)) ? 01777 : 0755;
  }

  private final Path machine;
  private final Path upper;
  private final IdRange ids;

  private Layer(Path machine, Path upper, IdRange ids) {
    this.machine = machine;
    this.upper = upper;
    this.ids = ids;
  }

  /**
   * Fills the layer over the root file system.
   *
   * @param platform the platform's data directory, by its real path, which is hidden too
   * @param files the task's own versions of files, by path without the leading slash
   */
  static void fillRoot(Path upper, IdRange ids, Path platform, Map<String, String> files)
      throws IOException {
    Layer layer = new Layer(Path.of("/"), upper, ids);
    for (String path : HIDDEN) {
      layer.hide(path, FOR_EVERYBODY.contains(path) ? 01777 : 0755);
    }
    if (HIDDEN.stream().noneMatch(path -> platform.startsWith("/" + path))) {
      layer.hidePlatform(platform);
    }
    for (String path : FRESH_DIRECTORIES) {
      layer.hide(path, 0755);
    }
    for (String path : MOUNT_POINTS) {
      layer.makePoint(path);
    }
    layer.link(ENVIRONMENT, ENVIRONMENT_FILE);
    for (String path : FRESH_FILES) {
      if (Files.isRegularFile(layer.machine.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
        layer.write(path, "");
      }
    }
    for (var file : files.entrySet()) {
      layer.write(file.getKey(), file.getValue());
    }
  }

  /** Adds a file of the task to the layer over the root file system. */
  static void addFile(Path upper, IdRange ids, String path, String text) throws IOException {
    new Layer(Path.of("/"), upper, ids).write(path, text);
  }

  /**
   * Fills the layer over another file system, where only the platform's data directory must be
   * hidden.
   */
  static void fillOther(Path machine, Path upper, IdRange ids, Path platform) throws IOException {
    new Layer(machine, upper, ids).hidePlatform(platform);
  }

  private void hidePlatform(Path platform) throws IOException {
    if (platform.startsWith(machine) && !platform.equals(machine)) {
      hide(machine.relativize(platform).toString(), 0755);
    }
  }

  private void hide(String path, int mode) throws IOException {
    if (!Files.isDirectory(machine.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path place = directory(path);
    Linux.extendedAttribute(place.toString(), "trusted.overlay.opaque", "y");
    own(place, 0, 0, mode);
  }

  private void makePoint(String path) throws IOException {
    Path above = machine.resolve(path).getParent();
    boolean there = Files.exists(machine.resolve(path), LinkOption.NOFOLLOW_LINKS);
    if (!there && Files.isDirectory(above, LinkOption.NOFOLLOW_LINKS)) {
      directory(machine.relativize(above).toString());
      own(Files.createDirectory(upper.resolve(path)), 0, 0, 0755);
    }
  }

  private void write(String path, String text) throws IOException {
    Path place = upper.resolve(path);
    if (Files.isDirectory(machine.resolve(path).getParent(), LinkOption.NOFOLLOW_LINKS)) {
      directory(Path.of(path).getParent().toString());
      Files.writeString(place, text);
      own(place, 0, 0, 0644);
    }
  }

  private void link(String path, String to) throws IOException {
    if (Files.isDirectory(machine.resolve(path).getParent(), LinkOption.NOFOLLOW_LINKS)) {
      directory(Path.of(path).getParent().toString());
      Path link = Files.createSymbolicLink(upper.resolve(path), Path.of(to));
      Linux.changeOwner(Linux.AT_FDCWD, link.toString(), ids.base(), ids.base());
    }
  }

  /** Creates the directory and its parents, with the modes and owners of the host's directories. */
  private Path directory(String path) throws IOException {
    Path place = upper.resolve(path);
    if (!path.isEmpty()) {
      if (Files.exists(place)) {
        return place;
      }
      Path above = Path.of(path).getParent();
      if (above != null) {
        directory(above.toString());
      }
      try {
        Files.createDirectory(place);
      } catch (FileAlreadyExistsException e) {
        return place;
      }
      copyOwner(machine.resolve(path), place);
    }
    return place;
  }

  private void copyOwner(Path from, Path to) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(from, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    own(
        to,
        (Integer) attributes.get("uid"),
        (Integer) attributes.get("gid"),
        (Integer) attributes.get("mode") & 07777);
  }

  /** Sets owner and mode. IDs beyond the range cannot be mapped and become the task's root user. */
  private void own(Path path, int user, int group, int mode) throws IOException {
    int owner = ids.base() + (user < IdRange.SIZE && user >= 0 ? user : 0);
    int ownerGroup = ids.base() + (group < IdRange.SIZE && group >= 0 ? group : 0);
    Linux.changeOwner(Linux.AT_FDCWD, path.toString(), owner, ownerGroup);
    Linux.changeMode(path.toString(), mode);
  }
}
