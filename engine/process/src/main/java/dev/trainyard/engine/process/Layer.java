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
 * directories are hidden or replaced by empty ones, and contains the task's own versions of files.
 *
 * <p>A directory is hidden by an opaque directory of the same name in the layer: the kernel then
 * ignores the host's directory. This needs no mount, and the task can use the directory.
 */
final class Layer {
  /** Directories of users, of services and of earlier boots, hidden regardless of their modes. */
  static final List<String> HIDDEN_DIRECTORIES =
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

  private static final List<String> WORLD_WRITABLE = List.of("tmp", "var/tmp");

  /** Directories that package managers need and whose host versions ordinary users cannot read. */
  private static final List<String> REPLACED_DIRECTORIES =
      List.of("var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/cache/ldconfig");

  /**
   * Mount points that every task needs. They are created here once, so that they need not be
   * created for each task.
   */
  static final List<String> MOUNT_POINTS = List.of("userhome", "gdata", "gshare", "usr/local/pai");

  /**
   * Path, without the leading slash, of the file from which login services read variables. In a
   * task it is a link to the task's own file {@link #ENVIRONMENT_LINK_TARGET}.
   */
  static final String ENVIRONMENT_LINK = "etc/environment";

  static final String ENVIRONMENT_LINK_TARGET =
      TaskRootPlan.PLATFORM_DIRECTORY + "/" + LaunchScript.EXPORTS_FILE;

  /** Lock files of package managers, replaced by empty files that the task owns. */
  private static final List<String> LOCK_FILES =
      List.of(
          "var/lib/dpkg/lock",
          "var/lib/dpkg/lock-frontend",
          "var/lib/dpkg/triggers/Lock",
          "var/lib/apt/lists/lock",
          "var/cache/apt/archives/lock");

  /** Returns the mode of a hidden directory with this absolute path. */
  static int modeOf(Path hidden) {
    return WORLD_WRITABLE.contains(hidden.toString().substring(1)) ? 01777 : 0755;
  }

  private final Path hostDirectory;
  private final Path upper;
  private final IdRange ids;

  private Layer(Path hostDirectory, Path upper, IdRange ids) {
    this.hostDirectory = hostDirectory;
    this.upper = upper;
    this.ids = ids;
  }

  /**
   * Fills the layer over the root file system.
   *
   * @param dataDirectory the platform's data directory, by its real path, which is hidden too
   * @param files the task's own versions of files, by path without the leading slash
   */
  static void fillRoot(Path upper, IdRange ids, Path dataDirectory, Map<String, String> files)
      throws IOException {
    Layer layer = new Layer(Path.of("/"), upper, ids);
    for (String path : HIDDEN_DIRECTORIES) {
      layer.hide(path, WORLD_WRITABLE.contains(path) ? 01777 : 0755);
    }
    if (HIDDEN_DIRECTORIES.stream().noneMatch(path -> dataDirectory.startsWith("/" + path))) {
      layer.hideDataDirectory(dataDirectory);
    }
    for (String path : REPLACED_DIRECTORIES) {
      layer.hide(path, 0755);
    }
    for (String path : MOUNT_POINTS) {
      layer.createMountPoint(path);
    }
    layer.createLink(ENVIRONMENT_LINK, ENVIRONMENT_LINK_TARGET);
    for (String path : LOCK_FILES) {
      if (Files.isRegularFile(layer.hostDirectory.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
        layer.writeFile(path, "");
      }
    }
    for (var file : files.entrySet()) {
      layer.writeFile(file.getKey(), file.getValue());
    }
  }

  /** Adds a file of the task to the layer over the root file system. */
  static void addFile(Path upper, IdRange ids, String path, String text) throws IOException {
    new Layer(Path.of("/"), upper, ids).writeFile(path, text);
  }

  /**
   * Fills the layer over another file system, where only the platform's data directory must be
   * hidden.
   */
  static void fillOtherFileSystem(Path hostDirectory, Path upper, IdRange ids, Path dataDirectory)
      throws IOException {
    new Layer(hostDirectory, upper, ids).hideDataDirectory(dataDirectory);
  }

  private void hideDataDirectory(Path dataDirectory) throws IOException {
    if (dataDirectory.startsWith(hostDirectory) && !dataDirectory.equals(hostDirectory)) {
      hide(hostDirectory.relativize(dataDirectory).toString(), 0755);
    }
  }

  private void hide(String path, int mode) throws IOException {
    if (!Files.isDirectory(hostDirectory.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path target = createDirectory(path);
    Linux.setExtendedAttribute(target.toString(), "trusted.overlay.opaque", "y");
    setOwnerAndMode(target, 0, 0, mode);
  }

  private void createMountPoint(String path) throws IOException {
    Path parent = hostDirectory.resolve(path).getParent();
    boolean exists = Files.exists(hostDirectory.resolve(path), LinkOption.NOFOLLOW_LINKS);
    if (!exists && Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
      createDirectory(hostDirectory.relativize(parent).toString());
      setOwnerAndMode(Files.createDirectory(upper.resolve(path)), 0, 0, 0755);
    }
  }

  private void writeFile(String path, String text) throws IOException {
    Path target = upper.resolve(path);
    if (Files.isDirectory(hostDirectory.resolve(path).getParent(), LinkOption.NOFOLLOW_LINKS)) {
      createDirectory(Path.of(path).getParent().toString());
      Files.writeString(target, text);
      setOwnerAndMode(target, 0, 0, 0644);
    }
  }

  private void createLink(String path, String linkTarget) throws IOException {
    if (Files.isDirectory(hostDirectory.resolve(path).getParent(), LinkOption.NOFOLLOW_LINKS)) {
      createDirectory(Path.of(path).getParent().toString());
      Path link = Files.createSymbolicLink(upper.resolve(path), Path.of(linkTarget));
      Linux.changeOwner(Linux.AT_FDCWD, link.toString(), ids.base(), ids.base());
    }
  }

  /** Creates the directory and its parents, with the modes and owners of the host's directories. */
  private Path createDirectory(String path) throws IOException {
    Path target = upper.resolve(path);
    if (!path.isEmpty()) {
      if (Files.exists(target)) {
        return target;
      }
      Path parent = Path.of(path).getParent();
      if (parent != null) {
        createDirectory(parent.toString());
      }
      try {
        Files.createDirectory(target);
      } catch (FileAlreadyExistsException e) {
        return target;
      }
      copyOwnerAndMode(hostDirectory.resolve(path), target);
    }
    return target;
  }

  private void copyOwnerAndMode(Path source, Path target) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(source, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    setOwnerAndMode(
        target,
        (Integer) attributes.get("uid"),
        (Integer) attributes.get("gid"),
        (Integer) attributes.get("mode") & 07777);
  }

  /**
   * Sets owner and mode. IDs outside the range cannot be mapped and are replaced by the ID of the
   * task's root user.
   */
  private void setOwnerAndMode(Path path, int user, int group, int mode) throws IOException {
    int owner = ids.base() + (user < IdRange.SIZE && user >= 0 ? user : 0);
    int ownerGroup = ids.base() + (group < IdRange.SIZE && group >= 0 ? group : 0);
    Linux.changeOwner(Linux.AT_FDCWD, path.toString(), owner, ownerGroup);
    Linux.changeMode(path.toString(), mode);
  }
}
