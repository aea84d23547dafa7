package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.SystemCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the server's account access to files that tasks left in a directory under other user IDs.
 * Tasks may change the directory at the same time, and this code runs as root, so it operates only
 * on open directories and on names in them, and follows no links. Files are opened only as
 * locations (O_PATH), because any other open can wait for a task: for a lease on a file, or for a
 * writer of a pipe.
 */
final class TreeAccessGranter {
  private static final Logger LOG = LoggerFactory.getLogger(TreeAccessGranter.class);

  private static final int TYPE_MASK = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int PERMISSIONS = 07777;
  private static final int NONE = -1;

  /** Keeps an owner or a group. */
  private static final int UNCHANGED = -1;

  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int EPERM = 1;

  private final ServerAccount server;
  private final boolean forDeletion;

  /** A directory whose entries are being processed. */
  private record Level(int descriptor, Deque<Path> remainingNames) {}

  private TreeAccessGranter(ServerAccount server, boolean forDeletion) {
    this.server = server;
    this.forDeletion = forDeletion;
  }

  /** Makes the tree readable: the server's group gets read permission, and the owners are kept. */
  static void makeReadable(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(server, false).grantAccess(tree);
  }

  /** Makes the tree deletable, for which only the directories have to be changed. */
  static void makeDeletable(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(server, true).grantAccess(tree);
  }

  private void grantAccess(Path tree) throws IOException {
    Deque<Level> levels = new ArrayDeque<>();
    try {
      int top = Linux.open(tree.toString(), Linux.O_PATH | Linux.O_NOFOLLOW | Linux.O_DIRECTORY);
      enter(top, readAttributes(top), levels);
      while (!levels.isEmpty()) {
        Level level = levels.peek();
        Path name = level.remainingNames().poll();
        if (name == null) {
          Linux.close(levels.pop().descriptor());
        } else {
          visit(level.descriptor(), name, levels);
        }
      }
    } finally {
      levels.forEach(level -> Linux.close(level.descriptor()));
    }
  }

  /**
   * Grants access to an entry; skips it if it has disappeared or changed its type in the meantime.
   */
  private void visit(int directory, Path name, Deque<Level> levels) throws IOException {
    int descriptor = NONE;
    boolean entered = false;
    try {
      descriptor = Linux.openAt(directory, bytes(name), Linux.O_PATH | Linux.O_NOFOLLOW);
      Map<String, Object> attributes = readAttributes(descriptor);
      int type = mode(attributes) & TYPE_MASK;
      if (type == DIRECTORY) {
        entered = true;
        enter(descriptor, attributes, levels);
      } else if (type == REGULAR && !forDeletion) {
        grantAccess(descriptor, attributes);
      }
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.EACCES || e.errno() == EPERM || e.isExhaustion()) {
        throw e;
      }
      LOG.debug("{} was changed concurrently", name, e);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      LOG.debug("{} was changed concurrently", name, e);
    } finally {
      if (!entered && descriptor != NONE) {
        Linux.close(descriptor);
      }
    }
  }

  /**
   * @param descriptor closed when the directory is left
   */
  private void enter(int descriptor, Map<String, Object> attributes, Deque<Level> levels)
      throws IOException {
    Deque<Path> names = new ArrayDeque<>();
    levels.push(new Level(descriptor, names));
    grantAccess(descriptor, attributes);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(descriptor))) {
      entries.forEach(entry -> names.add(entry.getFileName()));
    }
  }

  private void grantAccess(int descriptor, Map<String, Object> attributes) throws IOException {
    boolean ownedByServer = attributes.get("uid").equals(server.user());
    if (forDeletion) {
      if (!ownedByServer) {
        changeOwner(descriptor, server.user(), UNCHANGED);
      }
      return;
    }
    if (!ownedByServer) {
      changeOwner(descriptor, UNCHANGED, server.group());
    }
    // Group permissions do not apply to the owner, and a task may have removed both the owner's
    // and the group's permissions.
    int mode = mode(attributes) & PERMISSIONS;
    int granted = mode | (ownedByServer ? 0400 : 0040);
    if ((mode(attributes) & TYPE_MASK) == DIRECTORY) {
      granted |= ownedByServer ? 0100 : 0010;
    }
    if (granted != mode) {
      Linux.changeMode(path(descriptor).toString(), granted & 0777);
    }
  }

  private static void changeOwner(int descriptor, int user, int group) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      long sameFile = Linux.text(arena, "");
      Linux.call(
          "change the owner",
          SystemCall.FCHOWNAT,
          descriptor,
          sameFile,
          user,
          group,
          AT_EMPTY_PATH);
    }
  }

  private static Path path(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  private static Map<String, Object> readAttributes(int descriptor) throws IOException {
    return Files.readAttributes(path(descriptor), "unix:mode,uid");
  }

  private static int mode(Map<String, Object> attributes) {
    return (Integer) attributes.get("mode");
  }

  /** Returns the bytes of a name, which may be invalid in the character set of this process. */
  private static byte[] bytes(Path name) {
    String escaped = Path.of("/").resolve(name).toUri().getRawPath().substring(1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < escaped.length(); i++) {
      char letter = escaped.charAt(i);
      if (letter == '%') {
        bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
        i += 2;
      } else if (letter != '/') {
        bytes.write(letter);
      }
    }
    return bytes.toByteArray();
  }
}
