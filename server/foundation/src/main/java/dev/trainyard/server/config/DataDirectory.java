package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory with all data of a server. Other accounts of the host have no access to it. */
public record DataDirectory(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /**
   * Name of the file with the encryption keys of secrets. A server does not start if other accounts
   * can read this file. Its mode is not corrected automatically, because another account may
   * already have copied the keys.
   */
  public static final String SECRET_KEYS = "secret-keys";

  /** Directories that may contain files before the first start. */
  static final Set<String> PREPARED_DIRECTORIES =
      Set.of(
          UserData.DATASETS.directoryName(),
          UserData.SHARED.directoryName(),
          UserData.STORAGES.directoryName(),
          "lost+found");

  /** A file that is not empty occupies at least this many bytes on common file systems. */
  private static final int BLOCK_SIZE = 4096;

  /** Files created by a server. */
  static final Pattern USED_FILES =
      Pattern.compile(
          "local-token|admin-password|job-ssh-seed|job-token-key|installation"
              + "|trainyard\\.db(?!\\.lock$).*");

  /** Files of a server that other accounts must not read. */
  private static final Pattern PRIVATE_FILES =
      Pattern.compile(
          USED_FILES.pattern()
              + "|trainyard\\.db\\.lock|lock|start\\.lock|server.*|trainyard\\.conf");

  /**
   * Creates the directory if it does not exist, and rejects a directory that is not safe to use.
   */
  public static DataDirectory open(Path path) {
    try {
      if (!Files.exists(path)) {
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      Path real = path.toRealPath();
      requireSafe(real);
      return new DataDirectory(real);
    } catch (IOException e) {
      throw conflict(
          Message.of("config.data-unusable", "path", path.toString()).with("detail", e.toString()));
    }
  }

  /**
   * Removes the access of other accounts to the directory and to the server's files directly in it.
   * Deeper files cannot be reached without access to the directory. Must be called only if the
   * directory is known to belong to a server or to be unused, because {@code --data} may name a
   * wrong directory by mistake.
   */
  public void makePrivate() {
    try {
      removeAccessOfOthers(path);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
        for (Path file : files) {
          if (PRIVATE_FILES.matcher(file.getFileName().toString()).matches()
              && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            removeAccessOfOthers(file);
          }
        }
      }
    } catch (IOException e) {
      throw conflict(
          Message.of("config.data-unusable", "path", path.toString()).with("detail", e.toString()));
    }
  }

  private static void removeAccessOfOthers(Path path) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
    if (!OWNER_ONLY.containsAll(permissions)) {
      Set<PosixFilePermission> ownerPermissions = EnumSet.copyOf(OWNER_ONLY);
      ownerPermissions.retainAll(permissions);
      Files.setPosixFilePermissions(path, ownerPermissions);
      LOG.warn(
          "{} was accessible to other accounts ({}); changed its mode to {}",
          path,
          PosixFilePermissions.toString(permissions),
          PosixFilePermissions.toString(ownerPermissions));
    }
  }

  private static void requireSafe(Path real) throws IOException {
    if (!Files.isDirectory(real)) {
      throw conflict(Message.of("config.data-no-directory", "path", real.toString()));
    }
    Object owner = Files.getAttribute(real, "unix:uid");
    if (!owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      throw conflict(
          Message.of("config.data-foreign", "path", real.toString())
              .with("owner", Files.getOwner(real).getName()));
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real);
    if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw conflict(Message.of("config.data-open", "path", real.toString()));
    }
    String type =
        FileSystems.typeOf(real, Files.readAllLines(Path.of("/proc/self/mountinfo"))).orElse("");
    if (FileSystems.isNetwork(type)) {
      throw conflict(Message.of("config.data-network", "path", real.toString()).with("type", type));
    }
  }

  /**
   * Rejects a directory that a server has used or that has other content, because a new database
   * would not match it. Settings files, files that an administrator prepares before the first
   * start, and empty files, as an interrupted first start leaves them, are permitted.
   */
  public void requireUnused() {
    requireUnused(Set.of());
  }

  /**
   * Like {@link #requireUnused()}, for a directory whose SQLite file has no tables.
   *
   * @param database names of that file and its auxiliary files, which are permitted
   */
  public void requireUnused(Set<String> database) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        boolean isContent =
            Files.isDirectory(entry)
                ? !PREPARED_DIRECTORIES.contains(name) && !isEmpty(entry)
                : USED_FILES.matcher(name).matches()
                    && !database.contains(name)
                    && Files.size(entry) > 0;
        if (isContent) {
          throw conflict(
              Message.of("config.db-not-here", "path", path.toString()).with("found", name));
        }
      }
    } catch (IOException e) {
      throw conflict(
          Message.of("config.data-unusable", "path", path.toString()).with("detail", e.toString()));
    }
  }

  static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  public Path resolve(String name) {
    return path.resolve(name);
  }

  /**
   * Returns the content of a file of the server, decoded as Latin-1, so that even a damaged file
   * can be read.
   */
  public String read(String name) {
    try {
      return Files.readString(resolve(name), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw unusable(name, e);
    }
  }

  /**
   * Returns the error for a file of the server that cannot be read or written, for example because
   * there is a directory with the same name.
   */
  AppException unusable(String name, IOException failure) {
    return conflict(
        Message.of("config.data-file", "path", resolve(name).toString())
            .with("detail", failure.toString()));
  }

  /**
   * Returns the error to show for a start that failed because of a file in the data directory;
   * returns any other failure unchanged.
   */
  public static RuntimeException explain(Path data, UncheckedIOException failure) {
    if (failure.getCause() instanceof FileSystemException fileFailure
        && fileFailure.getFile() != null) {
      String otherFile = fileFailure.getOtherFile();
      Path file = Path.of(otherFile == null ? fileFailure.getFile() : otherFile);
      Path real = realOrAbsolute(data);
      if (file.startsWith(real)) {
        return new DataDirectory(real).unusable(real.relativize(file).toString(), fileFailure);
      }
    }
    return failure;
  }

  private static Path realOrAbsolute(Path data) {
    try {
      return data.toRealPath();
    } catch (IOException e) {
      return data.toAbsolutePath();
    }
  }

  /**
   * Writes a file that only its owner can read and that each start of a server replaces. The write
   * is atomic: the file is never incomplete and never has another mode. On a full disk, an existing
   * file is overwritten instead, which needs neither space nor an inode.
   */
  public void writePrivate(String name, String text) {
    try {
      write(name, text, false);
    } catch (UncheckedIOException e) {
      if (!isDiskFull(e.getCause()) || !overwrite(resolve(name), text)) {
        throw e;
      }
      LOG.warn("{} was overwritten in place because the disk is full", resolve(name));
    }
  }

  /** Overwrites the file if this needs no new block; returns whether it did. */
  private static boolean overwrite(Path file, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.size() == 0 || bytes.length > BLOCK_SIZE) {
        return false; // it may need a new block
      }
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.truncate(bytes.length);
      return true;
    } catch (IOException e) {
      LOG.debug("failed to overwrite {}", file, e);
      return false;
    }
  }

  private static boolean isDiskFull(IOException failure) {
    return String.valueOf(failure.getMessage()).contains("No space left on device");
  }

  /** Like {@link #writePrivate}, but also flushes the file to disk before returning. */
  public void writeDurably(String name, String text) {
    write(name, text, true);
  }

  private void write(String name, String text, boolean flush) {
    Path temporary = resolve(name + ".new");
    try {
      Files.deleteIfExists(temporary);
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      try (FileChannel channel =
          FileChannel.open(
              temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        if (flush) {
          channel.force(true);
        }
      }
      Files.move(
          temporary,
          resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      if (flush) {
        try (FileChannel parent = FileChannel.open(path, StandardOpenOption.READ)) {
          parent.force(true);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void delete(String name) {
    try {
      Files.deleteIfExists(resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AppException conflict(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }
}
