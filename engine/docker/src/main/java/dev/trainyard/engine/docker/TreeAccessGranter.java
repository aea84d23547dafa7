package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the server's account access to files that tasks left in a directory under other user IDs.
 * Tasks may change the directory at the same time, and this runs as root, so it operates only on
 * open directories and names, and follows no links.
 */
final class TreeAccessGranter {
  private static final Logger LOG = LoggerFactory.getLogger(TreeAccessGranter.class);

  private final UserPrincipal account;
  private final GroupPrincipal group;
  private final boolean forGood;

  /** A directory whose entries are being processed. */
  private record Level(SecureDirectoryStream<Path> directory, Deque<Path> left) {}

  private TreeAccessGranter(Path tree, ServerAccount server, boolean forGood) throws IOException {
    this.forGood = forGood;
    var names = tree.getFileSystem().getUserPrincipalLookupService();
    account = names.lookupPrincipalByName(Integer.toString(server.user()));
    group = names.lookupPrincipalByGroupName(Integer.toString(server.group()));
  }

  /** Makes the tree readable: the server's group gets read permission, and the owners are kept. */
  static void open(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(tree, server, false).open(tree);
  }

  /** Makes the tree deletable, for which only the directories have to be changed. */
  static void give(Path tree, ServerAccount server) throws IOException {
    new TreeAccessGranter(tree, server, true).open(tree);
  }

  private void open(Path tree) throws IOException {
    Deque<Level> levels = new ArrayDeque<>();
    try (DirectoryStream<Path> above = Files.newDirectoryStream(tree.getParent())) {
      if (!(above instanceof SecureDirectoryStream<Path> parent)) {
        throw new IOException("this file system does not support secure directory streams");
      }
      enter(parent, tree.getFileName(), levels);
      while (!levels.isEmpty()) {
        Level level = levels.peek();
        Path name = level.left().poll();
        if (name == null) {
          levels.pop().directory().close();
        } else {
          visit(level.directory(), name, levels);
        }
      }
    } finally {
      for (Level level : levels) {
        level.directory().close();
      }
    }
  }

  /** Skips entries that have disappeared or changed their type in the meantime. */
  private void visit(SecureDirectoryStream<Path> directory, Path name, Deque<Level> levels)
      throws IOException {
    try {
      var view = view(directory, name);
      PosixFileAttributes found = view.readAttributes();
      if (found.isDirectory()) {
        enter(directory, name, levels);
      } else if (found.isRegularFile() && !forGood) {
        give(view, found);
      }
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      LOG.debug("{} was changed concurrently", name, e);
    }
  }

  private void enter(SecureDirectoryStream<Path> above, Path name, Deque<Level> levels)
      throws IOException {
    SecureDirectoryStream<Path> opened = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    levels.push(new Level(opened, new ArrayDeque<>()));
    var view = opened.getFileAttributeView(PosixFileAttributeView.class);
    give(view, view.readAttributes());
    List<Path> names = new ArrayList<>();
    opened.forEach(entry -> names.add(entry.getFileName()));
    levels.peek().left().addAll(names);
  }

  private void give(PosixFileAttributeView view, PosixFileAttributes found) throws IOException {
    boolean own = found.owner().equals(account);
    if (forGood) {
      if (!own) {
        view.setOwner(account);
      }
      return;
    }
    if (!own) {
      view.setGroup(group);
    }
    // Group permissions do not apply to the owner, and a task may have removed the permissions of
    // both.
    Set<PosixFilePermission> rights =
        EnumSet.of(own ? PosixFilePermission.OWNER_READ : PosixFilePermission.GROUP_READ);
    rights.addAll(found.permissions());
    if (found.isDirectory()) {
      rights.add(own ? PosixFilePermission.OWNER_EXECUTE : PosixFilePermission.GROUP_EXECUTE);
    }
    if (!rights.equals(found.permissions())) {
      view.setPermissions(rights);
    }
  }

  private static PosixFileAttributeView view(SecureDirectoryStream<Path> directory, Path name) {
    return directory.getFileAttributeView(
        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
