package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.SystemCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files that tasks left in a directory under other user IDs readable for the server's group;
 * the owners are kept. Tasks may change the directory at the same time, and this code runs as root,
 * so it operates only on open directories and on names in them, and follows no links. Files are
 * opened only as locations (O_PATH), because any other open can wait for a task: for a lease on a
 * file, or for a writer of a pipe. Directories are read entry by entry, because they may contain
 * any number of names.
 */
final class TreeAccessGranter {
  private static final Logger LOG = LoggerFactory.getLogger(TreeAccessGranter.class);

  /**
   * Maximum depth, because each level keeps three descriptors open. Archives and backups have the
   * same limit.
   */
  private static final int MAX_DEPTH = 400;

  private static final int TYPE_MASK = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int PERMISSIONS = 07777;
  private static final int NONE = -1;

  /** Keeps the owner. */
  private static final int UNCHANGED = -1;

  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int EPERM = 1;

  private final ServerAccount server;
  private final Deque<Level> levels = new ArrayDeque<>();

  /** A directory whose entries are being processed. */
  private record Level(int descriptor, DirectoryStream<Path> stream, Iterator<Path> entries)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      Linux.close(descriptor);
      stream.close();
    }
  }

  private TreeAccessGranter(ServerAccount server) {
    this.server = server;
  }

  /** Makes the tree readable, down to the depth that archives and backups support. */
  static void makeReadable(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(server).grantAccess(tree);
  }

  private void grantAccess(Path tree) throws IOException {
    try {
      int top = Linux.open(tree.toString(), Linux.O_PATH | Linux.O_NOFOLLOW | Linux.O_DIRECTORY);
      enterOrClose(top, readAttributes(top));
      while (!levels.isEmpty()) {
        Level level = levels.peek();
        if (level.entries().hasNext()) {
          visit(level.descriptor(), level.entries().next().getFileName());
        } else {
          levels.pop().close();
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } finally {
      while (!levels.isEmpty()) {
        levels.pop().close();
      }
    }
  }

  /**
   * Grants access to an entry; skips it if it has disappeared or changed its type in the meantime.
   */
  private void visit(int directory, Path name) throws IOException {
    int descriptor = NONE;
    try {
      descriptor = Linux.openAt(directory, bytes(name), Linux.O_PATH | Linux.O_NOFOLLOW);
      Map<String, Object> attributes = readAttributes(descriptor);
      int type = mode(attributes) & TYPE_MASK;
      if (type == DIRECTORY && levels.size() <= MAX_DEPTH) {
        int entered = descriptor;
        descriptor = NONE;
        enterOrClose(entered, attributes);
      } else if (type == DIRECTORY) {
        LOG.info("{} is nested too deeply to be made readable", name);
      } else if (type == REGULAR) {
        grantAccess(descriptor, attributes);
      }
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.EACCES || e.errno() == EPERM || e.isExhaustion()) {
        throw e;
      }
      LOG.debug("{} was changed concurrently", name, e);
    } catch (NoSuchFileException | NotDirectoryException e) {
      LOG.debug("{} was changed concurrently", name, e);
    } finally {
      Linux.close(descriptor);
    }
  }

  /**
   * Enters a directory, whose descriptor is closed when the directory is left or cannot be entered.
   */
  @SuppressWarnings("StreamResourceLeak") // closed with the level
  private void enterOrClose(int descriptor, Map<String, Object> attributes) throws IOException {
    try {
      grantAccess(descriptor, attributes);
      DirectoryStream<Path> stream = Files.newDirectoryStream(path(descriptor));
      levels.push(new Level(descriptor, stream, stream.iterator()));
    } catch (IOException | RuntimeException e) {
      Linux.close(descriptor);
      throw e;
    }
  }

  private void grantAccess(int descriptor, Map<String, Object> attributes) throws IOException {
    boolean ownedByServer = attributes.get("uid").equals(server.user());
    if (!ownedByServer) {
      changeGroup(descriptor, server.group());
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

  private static void changeGroup(int descriptor, int group) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      long sameFile = Linux.text(arena, "");
      Linux.call(
          "change the group",
          SystemCall.FCHOWNAT,
          descriptor,
          sameFile,
          UNCHANGED,
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
